package dev.pgkq.app.web;

import dev.pgkq.text.UserException;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinBindException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** What our web servers have in common: limits, errors in one form, and a port that may be in use. */
final class WebServer {
    /** All users behind a proxy share an address. */
    private static final int MAX_CONNECTIONS_PER_CLIENT = 500;
    /** Each viewer holds one, and a page briefly opens a few more. */
    private static final int MAX_CONNECTIONS = 1000;

    private static final int PORTS_TRIED = 20;
    /** Large enough for a URL with the names of many runs to compare. */
    private static final int HEADER_BYTES = 32 << 10;

    private final Javalin server;
    private final String host;

    /**
     * How to listen.
     *
     * @param host address to listen at
     * @param port port to listen on; 0 for any free port
     * @param tryNextPorts whether to try the following ports if the port is in use
     * @param portOptions the options that select a port, for the error message
     * @param bodyBytes maximum size of a request body
     * @param deadline how long a client may take to send a request, and a request with a body to be answered
     */
    record Listening(
            String host, int port, boolean tryNextPorts, String portOptions, long bodyBytes, Duration deadline) {}

    private WebServer(Javalin server, String host) {
        this.server = server;
        this.host = host;
    }

    /**
     * Starts a server.
     *
     * @param routes adds checks, routes and {@linkplain #addErrorHandlers error handlers}
     * @throws UserException if it cannot listen
     */
    static WebServer start(Listening listening, Consumer<JavalinConfig> routes) {
        int last = listening.tryNextPorts() ? listening.port() + PORTS_TRIED : listening.port();
        for (int port = listening.port(); ; port++) {
            try {
                Javalin server = Javalin.create(config -> {
                            configure(config, listening);
                            routes.accept(config);
                        })
                        .start(listening.host(), port);
                return new WebServer(server, listening.host());
            } catch (JavalinBindException e) {
                if (port >= last) {
                    throw new UserException(
                            "cannot listen at " + listening.host() + ":" + listening.port()
                                    + ": the port is in use, or the address does not belong to this machine. Choose"
                                    + " another port (" + listening.portOptions() + "); 0 selects any free port",
                            e);
                }
            }
        }
    }

    private static void configure(JavalinConfig config, Listening listening) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.concurrency.useVirtualThreads = true;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.http.maxRequestSize = listening.bodyBytes();
        config.jetty.modifyHttpConfiguration(http -> http.setRequestHeaderSize(HEADER_BYTES));
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new JsonErrorHandler());
            ConnectionLimits.apply(server, MAX_CONNECTIONS, MAX_CONNECTIONS_PER_CLIENT, listening.deadline());
            server.setStopTimeout(0); // do not wait for idle connections
        });
    }

    /**
     * Reports errors that users can fix, and hides the details of internal errors.
     *
     * @param bodyBytes maximum size of a request body
     * @param home where the server's contents start
     * @param shown removes from a message what clients must not see
     */
    static void addErrorHandlers(JavalinConfig config, long bodyBytes, String home, UnaryOperator<String> shown) {
        config.routes.exception(HttpError.class, (e, request) -> {
            if (e.retrySeconds() > 0) {
                request.header("Retry-After", Integer.toString(e.retrySeconds()));
            }
            ErrorPage.answer(request, e.status(), e.message());
        });
        config.routes.exception(
                HttpResponseException.class,
                (e, request) -> ErrorPage.answer(request, e.getStatus(), message(e.getStatus(), bodyBytes, home)));
        config.routes.exception(
                UserException.class,
                (e, request) -> ErrorPage.answer(request, 500, shown.apply(String.valueOf(e.getMessage()))));
        config.routes.exception(
                Exception.class, (e, request) -> ErrorPage.answer(request, 500, "internal server error"));
    }

    private static String message(int status, long bodyBytes, String home) {
        return switch (status) {
            case 404 -> notFound(home);
            case 413 -> tooLarge(bodyBytes);
            default -> "the request failed with status " + status;
        };
    }

    static String notFound(String home) {
        return "not found; " + home;
    }

    static String tooLarge(long bodyBytes) {
        return "the request is larger than " + bodyBytes + " bytes";
    }

    /** The URL of the server. */
    String address() {
        String shown = AllowedHosts.displayHost(host);
        return "http://" + (shown.contains(":") ? "[" + shown + "]" : shown) + ":" + server.port() + "/";
    }

    int port() {
        return server.port();
    }

    void stop() {
        server.stop();
    }
}
