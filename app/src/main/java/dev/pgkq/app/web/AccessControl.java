package dev.pgkq.app.web;

import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;

/**
 * Access control for every request to the dashboard. {@link #check} runs before any route. After the checks of {@link RequestGuard}:
 *
 * <ol>
 *   <li>For the API: the user is known. On loopback everyone is a rater unless tokens are required. Otherwise users log in
 *       with a token and then hold a signed cookie.
 *   <li>If the request changes state: it is JSON and carries the session's CSRF token, which no other site can know, and which covers
 *       clients that do not report where a request comes from.
 * </ol>
 *
 * <p>Pages and scripts contain no secrets and need no session. They must not require one, because a
 * {@code SameSite=Strict} cookie is not sent when a user follows a link from another site.
 */
public final class AccessControl {
    /** Maximum size of a request body. */
    static final int MAX_BODY_BYTES = 64 << 10;

    static final String CSRF_HEADER = "X-CSRF-Token";
    static final String LOGIN = "/api/login";
    static final String SESSION = "/api/session";

    static final String API = "/api/";
    private static final String SESSION_ATTRIBUTE = "pgkq.session";
    private static final String ALL_CLIENTS = "all";

    private final RequestGuard guard;
    private final Optional<Tokens> tokens;
    private final SessionCookies cookies;
    private final RateLimiter logins;
    private final RateLimiter allLogins;

    /** @param tokens empty if every client that can connect has all rights */
    AccessControl(AllowedHosts hosts, Optional<Tokens> tokens, InstantSource clock) {
        this.tokens = tokens;
        this.cookies = new SessionCookies(tokens.map(Tokens::key).orElseGet(() -> Tokens.randomBytes(32)), clock);
        this.guard = new RequestGuard(hosts, new RateLimiter(1000, 100, clock), MAX_BODY_BYTES);
        this.logins = new RateLimiter(5, 1 / 12.0, clock);
        this.allLogins = new RateLimiter(50, 1, clock);
    }

    SessionCookies cookies() {
        return cookies;
    }

    /** @throws HttpError if the request is rejected */
    void check(Context request) {
        boolean reading = guard.check(request);
        if (!request.path().startsWith(API)) {
            if (!reading) {
                throw new HttpError(405, "pages are read-only");
            }
            return;
        }
        RequestGuard.requireSameOrigin(request, reading);
        UserSession session = identify(request);
        request.attribute(SESSION_ATTRIBUTE, session);
        boolean open =
                request.path().equals(LOGIN) || (reading && request.path().equals(SESSION));
        if (session.role() == Role.NONE && !open) {
            throw new HttpError(
                    401, "login required: open the address with the token that pgkq printed when it started");
        }
        if (!reading) {
            requireJson(request);
            if (!request.path().equals(LOGIN)) {
                requireCsrf(request, session);
            }
        }
    }

    private UserSession identify(Context request) {
        String cookie =
                Optional.ofNullable(request.cookie(cookies.cookieName())).orElse("");
        UserSession session = cookies.session(cookie).orElse(UserSession.ANONYMOUS);
        return tokens.isPresent() ? session : new UserSession(session.id(), Role.RATER, session.name());
    }

    private static void requireJson(Context request) {
        String type = Optional.ofNullable(request.contentType()).orElse("").toLowerCase(Locale.ROOT);
        if (!type.equals("application/json") && !type.startsWith("application/json;")) {
            throw new HttpError(415, "the body must be JSON, with Content-Type: application/json");
        }
    }

    private void requireCsrf(Context request, UserSession session) {
        String given = Optional.ofNullable(request.header(CSRF_HEADER)).orElse("");
        if (!cookies.isCsrfToken(session, given)) {
            throw new HttpError(
                    403,
                    "the header " + CSRF_HEADER + " must hold the csrf value from GET " + SESSION
                            + "; reload the page");
        }
    }

    /**
     * Exchanges a token for a role. Failed attempts are limited per client, and over all clients together.
     *
     * @throws HttpError if the token is wrong, or there were too many attempts
     */
    Role login(Context request, String token) {
        if (tokens.isEmpty()) {
            return Role.RATER;
        }
        String client = RateLimiter.clientKey(request.req().getRemoteAddr());
        int wait = logins.acquire(client);
        // a client over its own limit must not use up the limit of all
        wait = wait > 0 ? wait : allLogins.acquire(ALL_CLIENTS);
        if (wait > 0) {
            throw HttpError.retryLater(429, "too many login attempts; try again in " + wait + " s", wait);
        }
        Role role = tokens.get().role(token);
        if (role == Role.NONE) {
            throw new HttpError(401, "unknown token; pgkq printed the valid tokens when it started");
        }
        logins.refund(client);
        allLogins.refund(ALL_CLIENTS);
        return role;
    }

    /** The session of an API request. */
    public static UserSession session(Context request) {
        UserSession session = request.attribute(SESSION_ATTRIBUTE);
        return session == null ? UserSession.ANONYMOUS : session;
    }

    /**
     * The session of a request to a rating route.
     *
     * @return the session of a rater with a name
     * @throws HttpError if the user is not a rater, or has not entered a name
     */
    public static UserSession requireRater(Context request) {
        UserSession session = session(request);
        if (session.role() != Role.RATER) {
            throw new HttpError(403, "viewers cannot rate; log in with the rater token");
        }
        if (session.name().isEmpty()) {
            throw new HttpError(409, "enter a name first: POST " + SESSION + " {\"name\": \"…\"}");
        }
        return session;
    }
}
