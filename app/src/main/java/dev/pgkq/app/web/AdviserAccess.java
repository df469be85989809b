package dev.pgkq.app.web;

import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;

/**
 * Access control for every request to an adviser, after the checks of {@link RequestGuard}. Its clients are programs, so there are no
 * sessions: where a token is required, each request carries it as {@code Authorization: Bearer TOKEN}. The viewer's token reads, the
 * rater's token also asks and tells. A page of another site can send neither that header nor a body of our types without asking this
 * server first, which does not answer.
 */
final class AdviserAccess {
    /** Features of 64 million numbers. */
    static final long MAX_BODY_BYTES = 256L << 20;

    static final String JSON = "application/json";
    static final String NPY = "application/x-npy";

    private static final String BEARER = "bearer ";
    private static final int BURST = 20_000;
    private static final int PER_SECOND = 5_000;

    private final RequestGuard guard;
    private final Optional<Tokens> tokens;
    private final RateLimiter wrongTokens;

    /** @param tokens empty if every client that can connect has all rights */
    AdviserAccess(AllowedHosts hosts, Optional<Tokens> tokens, InstantSource clock) {
        this.guard = new RequestGuard(hosts, new RateLimiter(BURST, PER_SECOND, clock), MAX_BODY_BYTES);
        this.tokens = tokens;
        this.wrongTokens = new RateLimiter(5, 1 / 12.0, clock);
    }

    /** @throws HttpError if the request is rejected */
    void check(Context request) {
        boolean reading = guard.check(request);
        RequestGuard.requireSameOrigin(request, reading);
        Role role = role(request);
        if (role == Role.NONE) {
            request.header("WWW-Authenticate", "Bearer");
            throw new HttpError(
                    401, "a token is required: send Authorization: Bearer and the token that 'pgkq advise' printed");
        }
        if (!reading && role != Role.RATER) {
            throw new HttpError(403, "the viewer's token only reads; asking and telling need the rater's");
        }
        String type = contentType(request);
        if (!reading && !type.equals(JSON) && !type.equals(NPY)) {
            throw new HttpError(415, "the body must be JSON, with Content-Type: " + JSON);
        }
    }

    private Role role(Context request) {
        if (tokens.isEmpty()) {
            return Role.RATER;
        }
        String header = Optional.ofNullable(request.header("Authorization")).orElse("");
        if (!header.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            return Role.NONE;
        }
        Role role = tokens.get().role(header.substring(BEARER.length()).strip());
        if (role == Role.NONE) {
            int wait = wrongTokens.acquire(RateLimiter.clientKey(request.req().getRemoteAddr()));
            if (wait > 0) {
                throw HttpError.retryLater(429, "too many wrong tokens; try again in " + wait + " s", wait);
            }
        }
        return role;
    }

    /** The type of the body, without parameters such as a character set. */
    static String contentType(Context request) {
        String type = Optional.ofNullable(request.contentType()).orElse("");
        int semicolon = type.indexOf(';');
        return (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
    }
}
