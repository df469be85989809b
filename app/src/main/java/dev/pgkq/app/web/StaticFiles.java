package dev.pgkq.app.web;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Serves the pages and their resources from the class path: pages and images beside this class, modules in {@code js/}, and
 * the charting library. No other name leads to a resource.
 */
final class StaticFiles {
    private static final Pattern NAME =
            Pattern.compile("/(?:[a-z][a-z0-9-]{0,40}\\.(?:html|css|svg|png|ico)|js/[a-z][a-z0-9-]{0,40}\\.js)");
    private static final Map<String, String> LIBRARIES =
            Map.of("/lib/d3.min.js", "/META-INF/resources/webjars/d3/7.9.0/dist/d3.min.js");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon");

    private final String home;
    private final Map<String, File> cache = new ConcurrentHashMap<>();

    /** @param home what a browser shows at {@code /} */
    StaticFiles(String home) {
        this.home = home;
    }

    /** A file with its response headers. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record File(String type, String etag, byte[] bytes) {}

    /**
     * Answers with the file at the path of a request.
     *
     * @param advice where the server's contents start, for an error message
     * @throws HttpError if there is none
     */
    void answer(Context request, String advice) {
        File file = at(request.path()).orElseThrow(() -> HttpError.notFound(WebServer.notFound(advice)));
        request.header("ETag", file.etag());
        if (file.etag().equals(request.header("If-None-Match"))) {
            request.status(304);
            return;
        }
        request.contentType(file.type()).result(file.bytes());
    }

    /** The file at a URL path; empty if there is none. */
    Optional<File> at(String path) {
        String name = path.equals("/") ? home : path;
        File cached = cache.get(name);
        if (cached != null) {
            return Optional.of(cached);
        }
        String library = LIBRARIES.get(name);
        if (library == null && !NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        Optional<File> file = read(library == null ? "/dev/pgkq/app/web" + name : library, name);
        file.ifPresent(found -> cache.put(name, found));
        return file;
    }

    private static Optional<File> read(String resource, String name) {
        try (InputStream in = StaticFiles.class.getResourceAsStream(resource)) {
            if (in == null) {
                return Optional.empty();
            }
            byte[] bytes = in.readAllBytes();
            String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
            return Optional.of(new File(type, '"' + digest(bytes) + '"', bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e); // every Java platform provides it
        }
    }
}
