package dev.pgkq.app.web;

import dev.pgkq.text.UserException;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinBindException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.eclipse.jetty.server.NetworkConnectionLimit;

/** The web server. It serves until it is closed. */
public final class Dashboard implements AutoCloseable {
    /** Beyond it, who comes waits: viewers have one each, and a page opens a few more for a moment. */
    private static final int MOST_CONNECTIONS = 1000;

    private static final int PORTS_TRIED = 20;
    /** The names of many runs to compare fit into an address. */
    private static final int HEADER_BYTES = 32 << 10;

    private static final Duration GOODBYE = Duration.ofSeconds(1);

    private final Javalin server;
    private final Settings settings;
    private final Optional<Tokens> tokens;
    private final RunWatcher watcher;
    private final EventRoutes events;
    private final LedgerSummaries ledgers;
    private final RatingRoutes rating;

    /**
     * What to serve, and where.
     *
     * @param root folder with runs, or a run; need not be there yet
     * @param host address to listen at
     * @param port port to listen at; 0 for any that is free
     * @param otherPort whether one of the next ports will do if it is taken
     * @param allowedHosts names, beside the host's, under which it may be addressed
     * @param tokenFile where tokens are kept; empty if they are made anew, where they are needed at all
     * @param mostViewers how many may watch at once
     * @param ledgers those outside the folder that may be opened, where a run's settings name them
     */
    public record Settings(
            Path root,
            String host,
            int port,
            boolean otherPort,
            List<String> allowedHosts,
            Optional<Path> tokenFile,
            int mostViewers,
            List<String> ledgers) {
        public static final String LOOPBACK = "127.0.0.1";
        public static final int USUAL_PORT = 8765;

        public Settings {
            allowedHosts = List.copyOf(allowedHosts);
            ledgers = List.copyOf(ledgers);
        }

        /** On loopback, at the usual port or one near it. */
        public static Settings of(Path root) {
            return new Settings(
                    root, LOOPBACK, USUAL_PORT, true, List.of(), Optional.empty(), EventRoutes.MOST_VIEWERS, List.of());
        }

        /** At exactly this port; 0 for any that is free. */
        public Settings withPort(int other) {
            return new Settings(root, host, other, false, allowedHosts, tokenFile, mostViewers, ledgers);
        }

        public Settings withHost(String other) {
            return new Settings(root, other, port, otherPort, allowedHosts, tokenFile, mostViewers, ledgers);
        }

        public Settings withAllowedHosts(List<String> names) {
            return new Settings(root, host, port, otherPort, names, tokenFile, mostViewers, ledgers);
        }

        public Settings withTokenFile(Path file) {
            return new Settings(root, host, port, otherPort, allowedHosts, Optional.of(file), mostViewers, ledgers);
        }

        public Settings withLedgers(List<String> locations) {
            return new Settings(root, host, port, otherPort, allowedHosts, tokenFile, mostViewers, locations);
        }

        public Settings withMostViewers(int count) {
            return new Settings(root, host, port, otherPort, allowedHosts, tokenFile, count, ledgers);
        }
    }

    private Dashboard(
            Javalin server,
            Settings settings,
            Optional<Tokens> tokens,
            RunWatcher watcher,
            EventRoutes events,
            LedgerSummaries ledgers,
            RatingRoutes rating) {
        this.server = server;
        this.settings = settings;
        this.tokens = tokens;
        this.watcher = watcher;
        this.events = events;
        this.ledgers = ledgers;
        this.rating = rating;
    }

    /** @throws UserException if nothing can listen there */
    public static Dashboard start(Settings settings) {
        InstantSource clock = InstantSource.system();
        AllowedHosts hosts = new AllowedHosts(settings.host(), settings.allowedHosts());
        // A name from outside means that others come, by a proxy.
        boolean alone = hosts.loopback() && settings.allowedHosts().isEmpty();
        Optional<Tokens> tokens = settings.tokenFile().isPresent()
                ? settings.tokenFile().map(Tokens::in)
                : alone ? Optional.empty() : Optional.of(Tokens.generate());
        AccessControl guards = new AccessControl(hosts, tokens, clock);
        ServedFolder folder = new ServedFolder(settings.root());
        RunRegistry runs = new RunRegistry(folder, clock);
        LedgerSummaries ledgers = new LedgerSummaries(new LedgerAccessPolicy(folder, settings.ledgers()));
        RatingRoutes rating = new RatingRoutes(folder, runs, clock);
        RunWatcher watcher = new RunWatcher(folder, runs, ledgers);
        EventRoutes events = new EventRoutes(folder, runs, watcher, settings.mostViewers());
        StaticFiles files = new StaticFiles();
        try {
            Javalin server = listening(settings, config -> {
                configure(config);
                config.routes.before(guards::check);
                new SessionRoutes(guards).addTo(config.routes);
                new RunRoutes(folder, runs, ledgers).addTo(config.routes);
                events.addTo(config.routes);
                rating.addTo(config.routes);
                config.routes.get("/*", request -> file(request, files));
                answerTrouble(config, folder);
            });
            guards.sessions().listeningAt(server.port());
            return new Dashboard(server, settings, tokens, watcher, events, ledgers, rating);
        } catch (RuntimeException e) {
            watcher.close();
            ledgers.close();
            rating.close();
            throw e;
        }
    }

    private static Javalin listening(Settings settings, Consumer<JavalinConfig> configuration) {
        int last = settings.otherPort() ? settings.port() + PORTS_TRIED : settings.port();
        for (int port = settings.port(); ; port++) {
            try {
                return Javalin.create(configuration).start(settings.host(), port);
            } catch (JavalinBindException e) {
                if (port >= last) {
                    throw new UserException(
                            "cannot listen at " + settings.host() + ":" + settings.port()
                                    + ": the port is taken, or the address is not this machine's. Give another port"
                                    + " (--port of serve, --dashboard-port of train), 0 for any that is free",
                            e);
                }
            }
        }
    }

    private static void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.concurrency.useVirtualThreads = true;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.http.maxRequestSize = AccessControl.MOST_BYTES;
        config.jetty.modifyHttpConfiguration(http -> http.setRequestHeaderSize(HEADER_BYTES));
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new JsonErrorHandler());
            server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, server));
            server.setStopTimeout(0); // connections that are idle would be waited for
        });
    }

    /** What went wrong inside is nobody's business outside; what a person can put right is told without our paths. */
    private static void answerTrouble(JavalinConfig config, ServedFolder folder) {
        config.routes.exception(HttpError.class, (e, request) -> {
            if (e.retrySeconds() > 0) {
                request.header("Retry-After", Integer.toString(e.retrySeconds()));
            }
            answer(request, e.status(), e.message());
        });
        config.routes.exception(
                HttpResponseException.class, (e, request) -> answer(request, e.getStatus(), words(e.getStatus())));
        config.routes.exception(
                UserException.class,
                (e, request) -> answer(request, 500, folder.withoutPlace(String.valueOf(e.getMessage()))));
        config.routes.exception(
                Exception.class, (e, request) -> answer(request, 500, "something went wrong in the server"));
    }

    private static String words(int status) {
        return switch (status) {
            case 404 -> "there is nothing here; the dashboard is at /";
            case 413 -> "a request can have at most " + AccessControl.MOST_BYTES + " bytes";
            default -> "the request cannot be answered";
        };
    }

    private static void answer(Context request, int status, String message) {
        request.status(status).contentType("application/json").result(Json.error(message));
    }

    private static void file(Context request, StaticFiles files) {
        StaticFiles.File file = files.at(request.path())
                .orElseThrow(() -> HttpError.notFound("there is nothing here; the dashboard is at /"));
        request.header("ETag", file.etag());
        if (file.etag().equals(request.header("If-None-Match"))) {
            request.status(304);
            return;
        }
        request.contentType(file.type()).result(file.bytes());
    }

    /** Where a browser finds it. */
    public String address() {
        String host = AllowedHosts.shown(settings.host());
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port() + "/";
    }

    /** Where a browser logs in with a token. What follows the sign is not sent with requests, and so in no log. */
    public String loginAddress(String token) {
        return address() + "login.html#" + token;
    }

    /** Whether there is a run to show by now. */
    public boolean hasRuns() {
        return !new ServedFolder(settings.root()).find().isEmpty();
    }

    /** Whether only programs on this machine can connect. */
    public boolean isLoopback() {
        return AllowedHosts.isLoopback(settings.host());
    }

    public int port() {
        return server.port();
    }

    /** What people log in with; empty if everybody who can connect may do everything. */
    public Optional<Tokens> tokens() {
        return tokens;
    }

    /** Lets go of all viewers, who then know that it is over, and ends. */
    @Override
    public void close() {
        watcher.close();
        events.awaitEmpty(GOODBYE);
        try {
            server.stop();
        } finally {
            ledgers.close();
            rating.close();
        }
    }
}
