package dev.pgkq.app.web;

import dev.pgkq.text.UserException;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.nio.file.Path;
import java.time.InstantSource;

/** The web server. It serves until it is closed. */
public final class Dashboard implements AutoCloseable {
    private final Javalin server;
    private final Settings settings;

    /**
     * What to serve, and where.
     *
     * @param root folder with runs, or a run; need not be there yet
     * @param host address to listen at
     * @param port port to listen at; 0 for any that is free
     */
    public record Settings(Path root, String host, int port) {
        public static final String LOOPBACK = "127.0.0.1";
        public static final int USUAL_PORT = 8765;

        public static Settings of(Path root) {
            return new Settings(root, LOOPBACK, USUAL_PORT);
        }

        public Settings withPort(int other) {
            return new Settings(root, host, other);
        }
    }

    private Dashboard(Javalin server, Settings settings) {
        this.server = server;
        this.settings = settings;
    }

    /** @throws UserException if nothing can listen there */
    public static Dashboard start(Settings settings) {
        ServedFolder folder = new ServedFolder(settings.root());
        Runs runs = new Runs(folder, InstantSource.system());
        StaticFiles files = new StaticFiles();
        Javalin server = Javalin.create(config -> {
            quiet(config);
            config.concurrency.useVirtualThreads = true;
            config.http.compressionStrategy = CompressionStrategy.NONE;
            config.routes.before(request -> Guards.HEADERS.forEach(request::header));
            new RunRoutes(folder, runs).addTo(config.routes);
            config.routes.get("/*", request -> file(request, files));
            config.routes.exception(HttpTrouble.class, (e, request) -> answer(request, e.status(), e.message()));
            config.routes.exception(
                    HttpResponseException.class, (e, request) -> answer(request, e.getStatus(), "there is nothing here"));
            config.routes.exception(
                    Exception.class, (e, request) -> answer(request, 500, "something went wrong in the server"));
        });
        server.start(settings.host(), settings.port());
        return new Dashboard(server, settings);
    }

    private static void quiet(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
    }

    private static void answer(Context request, int status, String message) {
        request.status(status).contentType("application/json").result(Json.error(message));
    }

    private static void file(Context request, StaticFiles files) {
        StaticFiles.File file = files.at(request.path())
                .orElseThrow(() -> HttpTrouble.notFound("there is nothing here; the dashboard is at /"));
        request.header("ETag", file.etag());
        if (file.etag().equals(request.header("If-None-Match"))) {
            request.status(304);
            return;
        }
        request.contentType(file.type()).result(file.bytes());
    }

    /** Where a browser finds it. */
    public String address() {
        return "http://" + settings.host() + ":" + server.port() + "/";
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.stop();
    }
}
