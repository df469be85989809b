package dev.pgkq.app.web;

import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The checks that every request passes first, whoever sent it. Every response carries {@link #HEADERS}.
 *
 * <ol>
 *   <li>The {@code Host} header names this server. This prevents DNS rebinding, where another site's name resolves to this
 *       server.
 *   <li>The client is within its rate limit, and the request is not too large.
 *   <li>The address is well-formed, and the request reads or posts.
 *   <li>{@link #requireSameOrigin}: the browser does not report that the request comes from another site's page.
 * </ol>
 */
final class RequestGuard {
    /** Only this server's scripts, no requests to other servers, no embedding in frames. */
    static final Map<String, String> HEADERS = headers();

    private static final Set<String> READ_METHODS = Set.of("GET", "HEAD");
    private static final Pattern BAD_ENCODING = Pattern.compile("%(?![0-9a-fA-F]{2})");

    private final AllowedHosts hosts;
    private final RateLimiter requests;
    private final long maxBodyBytes;

    RequestGuard(AllowedHosts hosts, RateLimiter requests, long maxBodyBytes) {
        this.hosts = hosts;
        this.requests = requests;
        this.maxBodyBytes = maxBodyBytes;
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

    /**
     * Checks a request.
     *
     * @return whether it only reads; otherwise it is a POST
     * @throws HttpError if it is rejected
     */
    boolean check(Context request) {
        HEADERS.forEach(request::header);
        requireAllowedHost(request);
        requireWithinLimits(request);
        requireEncoding(request);
        String method = method(request);
        boolean reading = READ_METHODS.contains(method);
        if (!reading && !method.equals("POST")) {
            throw new HttpError(405, "only GET and POST are supported");
        }
        return reading;
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
        if (request.req().getContentLengthLong() > maxBodyBytes) {
            throw new HttpError(413, WebServer.tooLarge(maxBodyBytes));
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

    /**
     * Uses the headers in which browsers report a request's origin.
     *
     * @throws HttpError if the request comes from another site
     */
    static void requireSameOrigin(Context request, boolean reading) {
        String site = Optional.ofNullable(request.header("Sec-Fetch-Site")).orElse("none");
        String origin = Optional.ofNullable(request.header("Origin")).orElse("");
        String host = Optional.ofNullable(request.header("Host")).orElse("");
        boolean ours = origin.isEmpty() || origin.equals("http://" + host) || origin.equals("https://" + host);
        if (!List.of("same-origin", "none").contains(site) || (!reading && !ours)) {
            throw new HttpError(403, "requests from other sites are not allowed");
        }
    }
}
