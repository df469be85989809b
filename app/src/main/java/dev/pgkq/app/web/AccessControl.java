package dev.pgkq.app.web;

import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who may ask for what. Every request passes {@link #check} before anything else sees it, and every answer carries
 * {@link #HEADERS}. In the order of the code:
 *
 * <ol>
 *   <li>The request is for a name that is ours, so that no other site's name can be made to lead here (DNS rebinding).
 *   <li>It is not one of too many, and not too large.
 *   <li>For the API: it does not come from a page of another site, as far as the browser tells.
 *   <li>For the API: its visitor is known. On loopback everybody is, as rater, unless tokens were asked for; elsewhere who
 *       logged in with a token and has the signed cookie since then.
 *   <li>If it changes something: it is JSON and carries the session's CSRF token, which no other site can know.
 * </ol>
 *
 * <p>Pages and scripts hold nothing secret and need no session: a cookie that is {@code SameSite=Strict} is not sent with the
 * first click on a link from elsewhere.
 */
public final class AccessControl {
    /** No script but our own files, no request to anywhere else, no frame around it. */
    static final Map<String, String> HEADERS = headers();

    /** The most that a request may send. */
    static final int MOST_BYTES = 64 << 10;

    static final String CSRF_HEADER = "X-CSRF-Token";
    static final String LOGIN = "/api/login";
    static final String SESSION = "/api/session";

    private static final String API = "/api/";
    private static final String VISITOR = "pgkq.visitor";
    private static final Set<String> READING = Set.of("GET", "HEAD");
    private static final String EVERYBODY = "everybody";

    private final AllowedHosts hosts;
    private final Optional<Tokens> tokens;
    private final SessionCookies sessions;
    private final RateLimiter requests;
    private final RateLimiter logins;
    private final RateLimiter allLogins;

    /** @param tokens empty if everybody who can connect may do everything */
    AccessControl(AllowedHosts hosts, Optional<Tokens> tokens, InstantSource clock) {
        this.hosts = hosts;
        this.tokens = tokens;
        this.sessions = new SessionCookies(tokens.map(Tokens::key).orElseGet(() -> Tokens.randomBytes(32)), clock);
        this.requests = new RateLimiter(1000, 100, clock);
        this.logins = new RateLimiter(5, 1 / 12.0, clock);
        this.allLogins = new RateLimiter(50, 1, clock);
    }

    SessionCookies sessions() {
        return sessions;
    }

    private static Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(
                "Content-Security-Policy",
                "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                        + " object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("X-Frame-Options", "DENY");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        headers.put("Cross-Origin-Opener-Policy", "same-origin");
        headers.put("Cache-Control", "no-cache");
        return headers;
    }

    /** @throws HttpError if the request is refused */
    void check(Context request) {
        HEADERS.forEach(request::header);
        requireOurName(request);
        requireNotTooMuch(request);
        boolean reading = READING.contains(request.req().getMethod());
        if (!reading && !request.req().getMethod().equals("POST")) {
            throw new HttpError(405, "only GET and POST are answered here");
        }
        if (!request.path().startsWith(API)) {
            if (!reading) {
                throw new HttpError(405, "pages can only be read");
            }
            return;
        }
        requireOurPage(request, reading);
        UserSession visitor = identify(request);
        request.attribute(VISITOR, visitor);
        boolean open =
                request.path().equals(LOGIN) || (reading && request.path().equals(SESSION));
        if (visitor.role() == Role.NONE && !open) {
            throw new HttpError(401, "log in first: open the address with the token that 'pgkq serve' printed");
        }
        if (!reading) {
            requireJson(request);
            if (!request.path().equals(LOGIN)) {
                requireCsrf(request, visitor);
            }
        }
    }

    private void requireOurName(Context request) {
        String host = Optional.ofNullable(request.header("Host")).orElse("");
        if (!hosts.allows(host)) {
            throw new HttpError(
                    421,
                    "this server is not known by that name; if it should be, start it with --allow-host and the name");
        }
    }

    private void requireNotTooMuch(Context request) {
        int wait = requests.take(RateLimiter.client(request.req().getRemoteAddr()));
        if (wait > 0) {
            throw HttpError.later(429, "too many requests; try again in " + wait + " s", wait);
        }
        if (request.req().getContentLengthLong() > MOST_BYTES) {
            throw new HttpError(413, "a request can have at most " + MOST_BYTES + " bytes");
        }
    }

    /** Browsers say where a request comes from; what they do not say, the CSRF token must. */
    private static void requireOurPage(Context request, boolean reading) {
        String site = Optional.ofNullable(request.header("Sec-Fetch-Site")).orElse("none");
        String origin = Optional.ofNullable(request.header("Origin")).orElse("");
        String host = Optional.ofNullable(request.header("Host")).orElse("");
        boolean ours = origin.isEmpty() || origin.equals("http://" + host) || origin.equals("https://" + host);
        if (!List.of("same-origin", "none").contains(site) || (!reading && !ours)) {
            throw new HttpError(403, "requests from pages of other sites are not answered");
        }
    }

    private UserSession identify(Context request) {
        String cookie =
                Optional.ofNullable(request.cookie(sessions.cookieName())).orElse("");
        UserSession known = sessions.visitor(cookie).orElse(UserSession.NOBODY);
        return tokens.isPresent() ? known : new UserSession(known.session(), Role.RATER, known.name());
    }

    private static void requireJson(Context request) {
        String type = Optional.ofNullable(request.contentType()).orElse("").toLowerCase(Locale.ROOT);
        if (!type.equals("application/json") && !type.startsWith("application/json;")) {
            throw new HttpError(415, "send JSON, with Content-Type: application/json");
        }
    }

    private void requireCsrf(Context request, UserSession visitor) {
        String given = Optional.ofNullable(request.header(CSRF_HEADER)).orElse("");
        if (!sessions.isCsrf(visitor, given)) {
            throw new HttpError(
                    403, "the header " + CSRF_HEADER + " must be the csrf of GET " + SESSION + "; reload the page");
        }
    }

    /**
     * Exchanges a token for a role. Wrong ones are few a minute from one address, and from all together.
     *
     * @throws HttpError if it is wrong, or one of too many
     */
    Role login(Context request, String token) {
        if (tokens.isEmpty()) {
            return Role.RATER;
        }
        String client = RateLimiter.client(request.req().getRemoteAddr());
        int wait = logins.take(client);
        // who has none left himself takes none from the others
        wait = wait > 0 ? wait : allLogins.take(EVERYBODY);
        if (wait > 0) {
            throw HttpError.later(429, "too many attempts; try again in " + wait + " s", wait);
        }
        Role role = tokens.get().role(token);
        if (role == Role.NONE) {
            throw new HttpError(401, "that is not a token of this server; 'pgkq serve' printed them when it started");
        }
        logins.giveBack(client);
        allLogins.giveBack(EVERYBODY);
        return role;
    }

    /** Who asks; for routes of the API. */
    public static UserSession visitor(Context request) {
        UserSession visitor = request.attribute(VISITOR);
        return visitor == null ? UserSession.NOBODY : visitor;
    }

    /**
     * For routes where people rate.
     *
     * @return the rater, who has a name
     * @throws HttpError if he may not, or has not said who he is
     */
    public static UserSession requireRater(Context request) {
        UserSession visitor = visitor(request);
        if (visitor.role() != Role.RATER) {
            throw new HttpError(403, "you can look, but not rate: log in with the token for raters");
        }
        if (visitor.name().isEmpty()) {
            throw new HttpError(409, "say who you are first: POST " + SESSION + " {\"name\": \"…\"}");
        }
        return visitor;
    }
}
