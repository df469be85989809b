package dev.pgkq.app.web;

import java.util.LinkedHashMap;
import java.util.Map;

/** What every answer carries, and what every request must be like. */
final class Guards {
    /** No script but our own files, no request to anywhere else, no frame around it. */
    static final Map<String, String> HEADERS = headers();

    private Guards() {}

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
}
