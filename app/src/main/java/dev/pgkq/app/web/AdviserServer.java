package dev.pgkq.app.web;

import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.text.UserException;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The web server of an adviser; runs until it is closed. */
public final class AdviserServer implements AutoCloseable {
    /** A question of megabytes may take a minute to send, and an answer seconds to compute. */
    private static final Duration REQUEST_DEADLINE = Duration.ofMinutes(10);

    private static final String HOME = "the rounds are shown at /, and the API is described at " + AdviserRoutes.ROOT
            + "/" + AdviserRoutes.DESCRIPTION;

    private final WebServer server;
    private final boolean loopback;
    private final Optional<Tokens> tokens;

    /**
     * Where to listen.
     *
     * @param host address to listen on
     * @param port port to listen on; 0 for any free port
     * @param allowedHosts additional host names that requests may use
     * @param tokenFile file with the tokens; if empty, tokens are generated where they are required
     */
    public record Settings(String host, int port, List<String> allowedHosts, Optional<Path> tokenFile) {
        public static final int USUAL_PORT = 8766;

        public Settings {
            allowedHosts = List.copyOf(allowedHosts);
        }

        /** On loopback, at this port. */
        public static Settings at(int port) {
            return new Settings(Dashboard.Settings.LOOPBACK, port, List.of(), Optional.empty());
        }
    }

    private AdviserServer(WebServer server, boolean loopback, Optional<Tokens> tokens) {
        this.server = server;
        this.loopback = loopback;
        this.tokens = tokens;
    }

    /**
     * Starts the server. It does not close the adviser.
     *
     * @param version of this program
     * @throws UserException if the server cannot listen at the address
     */
    public static AdviserServer start(Settings settings, DurableAdviser adviser, String version) {
        AllowedHosts hosts = new AllowedHosts(settings.host(), settings.allowedHosts());
        // an additional host name implies access from other machines through a proxy
        boolean local = hosts.loopback() && settings.allowedHosts().isEmpty();
        Optional<Tokens> tokens = Tokens.required(settings.tokenFile(), local);
        InstantSource clock = InstantSource.system();
        AdviserAccess access = new AdviserAccess(hosts, tokens, clock);
        AccessControl pages = new AccessControl(hosts, tokens, clock);
        StaticFiles files = new StaticFiles("/adviser.html");
        WebServer.Listening listening = new WebServer.Listening(
                settings.host(),
                settings.port(),
                false,
                "advise --port",
                AdviserAccess.MAX_BODY_BYTES,
                REQUEST_DEADLINE);
        WebServer server = WebServer.start(listening, config -> {
            config.routes.before(request -> check(request, access, pages));
            new AdviserRoutes(adviser, version).addTo(config);
            new SessionRoutes(pages).addTo(config.routes);
            new AdviserViewRoutes(new ServedFolder(adviser.folder()), clock).addTo(config.routes);
            config.routes.get("/*", request -> files.answer(request, HOME));
            WebServer.addErrorHandlers(config, AdviserAccess.MAX_BODY_BYTES, HOME, message -> message);
        });
        pages.cookies().setPort(server.port());
        return new AdviserServer(server, hosts.loopback(), tokens);
    }

    /** Programs send a token with every request; people log in, as in the dashboard, and then only look. */
    private static void check(Context request, AdviserAccess programs, AccessControl people) {
        if (request.path().startsWith(AdviserRoutes.ROOT + "/")) {
            programs.check(request);
            return;
        }
        people.check(request);
        boolean hasBody = request.method() == HandlerType.POST;
        if (hasBody && request.req().getContentLengthLong() < 0) {
            throw new HttpError(411, "the length of the body must be known");
        }
    }

    /** The URL that logs a browser in with a token, as {@link Dashboard#loginAddress}. */
    public String loginAddress(String token) {
        return address() + "login.html#" + token;
    }

    /** The URL of the server. */
    public String address() {
        return server.address();
    }

    public int port() {
        return server.port();
    }

    /** Whether only programs on this machine can connect. */
    public boolean isLoopback() {
        return loopback;
    }

    /** The tokens; empty if every client that can connect has all rights. */
    public Optional<Tokens> tokens() {
        return tokens;
    }

    @Override
    public void close() {
        server.stop();
    }
}
