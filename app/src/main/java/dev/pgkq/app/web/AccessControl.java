package dev.pgkq.app.web;

import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Access control for every request. {@link #check} runs before any route, and every response carries {@link #HEADERS}.
 * The checks, in the order of the code:
 *
 * <ol>
 *   <li>The {@code Host} header names this server. This prevents DNS rebinding, where another site's name resolves to this
 *       server.
 *   <li>The client is within its rate limit, and the request is not too large.
 *   <li>For the API: the browser does not report that the request comes from another site's page.
 *   <li>For the API: the user is known. On loopback everyone is a rater unless tokens are required. Otherwise users log in
 *       with a token and then hold a signed cookie.
 *   <li>If the request changes state: it is JSON and carries the session's CSRF token, which no other site can know.
 * </ol>
 *
 * <p>Pages and scripts contain no secrets and need no session. They must not require one, because a
 * {@code SameSite=Strict} cookie is not sent when a user follows a link from another site.
 */
public final class AccessControl {
    /** Only this server's scripts, no requests to other servers, no embedding in frames. */
    static final Map<String, String> HEADERS = headers();

    /** Maximum size of a request body. */
    static final int MAX_BODY_BYTES = 64 << 10;

    static final String CSRF_HEADER = "X-CSRF-Token";
    static final String LOGIN = "/api/login";
    static final String SESSION = "/api/session";

    static final String API = "/api/";
    private static final String SESSION_ATTRIBUTE = "pgkq.session";
    private static final Set<String> READ_METHODS = Set.of("GET", "HEAD");
    private static final String ALL_CLIENTS = "all";
    private static final Pattern BAD_ENCODING = Pattern.compile("%(?![0-9a-fA-F]{2})");

    private final AllowedHosts hosts;
    private final Optional<Tokens> tokens;
    private final SessionCookies cookies;
    private final RateLimiter requests;
    private final RateLimiter logins;
    private final RateLimiter allLogins;

    /** @param tokens empty if every client that can connect has all rights */
    AccessControl(AllowedHosts hosts, Optional<Tokens> tokens, InstantSource clock) {
        this.hosts = hosts;
        this.tokens = tokens;
        this.cookies = new SessionCookies(tokens.map(Tokens::key).orElseGet(() -> Tokens.randomBytes(32)), clock);
        this.requests = new RateLimiter(1000, 100, clock);
        this.logins = new RateLimiter(5, 1 / 12.0, clock);
        this.allLogins = new RateLimiter(50, 1, clock);
    }

    SessionCookies cookies() {
        return cookies;
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

    /** @throws HttpError if the request is rejected */
    void check(Context request) {
        HEADERS.forEach(request::header);
        requireAllowedHost(request);
        requireWithinLimits(request);
        requireEncoding(request);
        String method = method(request);
        boolean reading = READ_METHODS.contains(method);
        if (!reading && !method.equals("POST")) {
            throw new HttpError(405, "only GET and POST are supported");
        }
        if (!request.path().startsWith(API)) {
            if (!reading) {
                throw new HttpError(405, "pages are read-only");
            }
            return;
        }
        requireSameOrigin(request, reading);
        UserSession session = identify(request);
        request.attribute(SESSION_ATTRIBUTE, session);
        boolean open =
                request.path().equals(LOGIN) || (reading && request.path().equals(SESSION));
        if (session.role() == Role.NONE && !open) {
            throw new HttpError(401, "login required: open the address with the token that 'pgkq serve' printed");
        }
        if (!reading) {
            requireJson(request);
            if (!request.path().equals(LOGIN)) {
                requireCsrf(request, session);
            }
        }
    }

    /**
     * The method by which the request is routed. Javalin lets the header {@code X-HTTP-Method-Override} replace that of the
     * request line, so that a request could be checked as a GET and change something as a POST.
     */
    private static String method(Context request) {
        String routed = request.method().name();
        if (!routed.equals(request.req().getMethod())) {
            throw new HttpError(405, "only GET and POST are supported, and no header may replace the method");
        }
        return routed;
    }

    private void requireAllowedHost(Context request) {
        String host = Optional.ofNullable(request.header("Host")).orElse("");
        if (!hosts.allows(host)) {
            throw new HttpError(
                    421, "unknown host name; to allow it, start the server with --allow-host and that name");
        }
    }

    private void requireWithinLimits(Context request) {
        int wait = requests.acquire(RateLimiter.clientKey(request.req().getRemoteAddr()));
        if (wait > 0) {
            throw HttpError.retryLater(429, "too many requests; try again in " + wait + " s", wait);
        }
        if (request.req().getContentLengthLong() > MAX_BODY_BYTES) {
            throw new HttpError(413, "the request is larger than " + MAX_BODY_BYTES + " bytes");
        }
    }

    /** {@code %} starts two hexadecimal digits and nothing else, such as {@code %u2216}. */
    private static void requireEncoding(Context request) {
        String query = Optional.ofNullable(request.queryString()).orElse("");
        if (BAD_ENCODING.matcher(request.path()).find()
                || BAD_ENCODING.matcher(query).find()) {
            throw HttpError.badRequest("the address has a % that is not followed by two hexadecimal digits");
        }
    }

    /** Uses the headers in which browsers report a request's origin. The CSRF token covers clients that omit them. */
    private static void requireSameOrigin(Context request, boolean reading) {
        String site = Optional.ofNullable(request.header("Sec-Fetch-Site")).orElse("none");
        String origin = Optional.ofNullable(request.header("Origin")).orElse("");
        String host = Optional.ofNullable(request.header("Host")).orElse("");
        boolean ours = origin.isEmpty() || origin.equals("http://" + host) || origin.equals("https://" + host);
        if (!List.of("same-origin", "none").contains(site) || (!reading && !ours)) {
            throw new HttpError(403, "requests from other sites are not allowed");
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
            throw new HttpError(401, "unknown token; 'pgkq serve' printed the valid tokens when it started");
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
