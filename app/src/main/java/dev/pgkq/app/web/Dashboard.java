package dev.pgkq.app.web;

import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The web server; runs until it is closed. */
public final class Dashboard implements AutoCloseable {
    private static final Duration REQUEST_DEADLINE = Duration.ofSeconds(20);

    private static final String HOME = "the dashboard is at /";

    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(1);

    private final WebServer server;
    private final Settings settings;
    private final Optional<Tokens> tokens;
    private final RunWatcher watcher;
    private final EventRoutes events;
    private final LedgerSummaries ledgers;
    private final RatingRoutes rating;

    /**
     * What to serve, and where.
     *
     * @param root folder with runs, or a run; need not exist yet
     * @param host address to listen on
     * @param port port to listen on; 0 for any free port
     * @param tryNextPorts whether to try the following ports if the port is in use
     * @param allowedHosts additional host names that requests may use
     * @param tokenFile file with the tokens; if empty, tokens are generated where they are required
     * @param maxViewers maximum number of connected viewers
     * @param ledgers ledgers outside the folder that may be opened if a run's settings name them
     */
    public record Settings(
            Path root,
            String host,
            int port,
            boolean tryNextPorts,
            List<String> allowedHosts,
            Optional<Path> tokenFile,
            int maxViewers,
            List<String> ledgers) {
        public static final String LOOPBACK = "127.0.0.1";
        public static final int USUAL_PORT = 8765;

        public Settings {
            allowedHosts = List.copyOf(allowedHosts);
            ledgers = List.copyOf(ledgers);
        }

        /** On loopback, at the default port or one of the following. */
        public static Settings of(Path root) {
            return new Settings(
                    root, LOOPBACK, USUAL_PORT, true, List.of(), Optional.empty(), EventRoutes.MAX_VIEWERS, List.of());
        }

        /** At exactly this port; 0 for any free port. */
        public Settings withPort(int other) {
            return new Settings(root, host, other, false, allowedHosts, tokenFile, maxViewers, ledgers);
        }

        public Settings withHost(String other) {
            return new Settings(root, other, port, tryNextPorts, allowedHosts, tokenFile, maxViewers, ledgers);
        }

        public Settings withAllowedHosts(List<String> names) {
            return new Settings(root, host, port, tryNextPorts, names, tokenFile, maxViewers, ledgers);
        }

        public Settings withTokenFile(Path file) {
            return new Settings(root, host, port, tryNextPorts, allowedHosts, Optional.of(file), maxViewers, ledgers);
        }

        public Settings withLedgers(List<String> locations) {
            return new Settings(root, host, port, tryNextPorts, allowedHosts, tokenFile, maxViewers, locations);
        }

        public Settings withMaxViewers(int count) {
            return new Settings(root, host, port, tryNextPorts, allowedHosts, tokenFile, count, ledgers);
        }
    }

    private Dashboard(
            WebServer server,
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

    /** @throws UserException if the server cannot listen at the address */
    public static Dashboard start(Settings settings) {
        InstantSource clock = InstantSource.system();
        AllowedHosts hosts = new AllowedHosts(settings.host(), settings.allowedHosts());
        // an additional host name implies access from other machines through a proxy
        boolean local = hosts.loopback() && settings.allowedHosts().isEmpty();
        Optional<Tokens> tokens = Tokens.required(settings.tokenFile(), local);
        AccessControl access = new AccessControl(hosts, tokens, clock);
        ServedFolder folder = new ServedFolder(settings.root());
        RunRegistry runs = new RunRegistry(folder, clock);
        LedgerSummaries ledgers = new LedgerSummaries(new LedgerAccessPolicy(folder, settings.ledgers()));
        RatingRoutes rating = new RatingRoutes(folder, runs, clock);
        RunWatcher watcher = new RunWatcher(folder, runs, ledgers);
        EventRoutes events = new EventRoutes(folder, runs, watcher, settings.maxViewers());
        StaticFiles files = new StaticFiles("/index.html");
        try {
            WebServer server = WebServer.start(listening(settings), config -> {
                config.routes.before(access::check);
                new SessionRoutes(access).addTo(config.routes);
                new RunRoutes(folder, runs, ledgers).addTo(config.routes);
                new AdviserViewRoutes(folder, clock).addTo(config.routes);
                events.addTo(config.routes);
                rating.addTo(config.routes);
                config.routes.get("/*", request -> files.answer(request, HOME));
                WebServer.addErrorHandlers(config, AccessControl.MAX_BODY_BYTES, HOME, folder::withoutRoot);
            });
            access.cookies().setPort(server.port());
            return new Dashboard(server, settings, tokens, watcher, events, ledgers, rating);
        } catch (RuntimeException e) {
            watcher.close();
            ledgers.close();
            rating.close();
            throw e;
        }
    }

    private static WebServer.Listening listening(Settings settings) {
        return new WebServer.Listening(
                settings.host(),
                settings.port(),
                settings.tryNextPorts(),
                "serve --port, train --dashboard-port",
                AccessControl.MAX_BODY_BYTES,
                REQUEST_DEADLINE);
    }

    /** The URL of the dashboard. */
    public String address() {
        return server.address();
    }

    /** The URL that logs in with a token. Browsers do not send the part after {@code #}, so it appears in no log. */
    public String loginAddress(String token) {
        return address() + "login.html#" + token;
    }

    /** Whether the folder contains a run or an adviser. */
    public boolean hasContents() {
        ServedFolder folder = new ServedFolder(settings.root());
        return !folder.findRuns().isEmpty() || !folder.findAdvisers().isEmpty();
    }

    /** Whether only programs on this machine can connect. */
    public boolean isLoopback() {
        return AllowedHosts.isLoopback(settings.host());
    }

    public int port() {
        return server.port();
    }

    /** The login tokens; empty if every client that can connect has all rights. */
    public Optional<Tokens> tokens() {
        return tokens;
    }

    /** Disconnects all viewers and stops the server. */
    @Override
    public void close() {
        watcher.close();
        events.awaitDisconnects(SHUTDOWN_TIMEOUT);
        try {
            server.stop();
        } finally {
            ledgers.close();
            rating.close();
        }
    }
}
