package dev.pgkq.app.command;

import dev.pgkq.app.terminal.Shell;
import dev.pgkq.app.web.Dashboard;
import dev.pgkq.app.web.Tokens;
import dev.pgkq.text.UserException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pgkq serve DIR}: shows runs in a browser, until Ctrl-C. */
@Command(
        name = "serve",
        description = "Shows runs and advisers in a browser, live; people rate episodes there.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "It reads the files of runs and can be started and stopped at any time. Only this machine can connect unless"
                    + " --host says otherwise; then visitors need a token. More: docs/dashboard.md."
        })
public final class ServeCommand implements Callable<Integer> {
    private static final int LAST_PORT = 65535;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "DIR", description = "folder with runs, or a run directory")
    private Path folder = Path.of("");

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "address to listen on; 0.0.0.0 for all addresses of this machine (default: ${DEFAULT-VALUE})")
    private String host = Dashboard.Settings.LOOPBACK;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "port to listen on; 0 for any free port (default: " + Dashboard.Settings.USUAL_PORT
                    + ", or the next free one)")
    private int port = -1;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "keep the tokens in this file, so that they stay valid after a restart; with it, visitors on this machine"
                            + " need a token, too")
    private Path tokenFile = Path.of("");

    @Option(
            names = "--allow-host",
            paramLabel = "NAME",
            description = "a host name that visitors use, for instance that of a reverse proxy; may be repeated")
    private List<String> allowedHosts = new ArrayList<>();

    @Option(
            names = "--ledger",
            paramLabel = "FILE|URL",
            description = "a ledger outside DIR that may be shown if the settings of a run name it: a file or"
                    + " jdbc:postgresql://…; may be repeated")
    private List<String> ledgers = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        if (!Files.isDirectory(folder)) {
            throw new UserException(folder + (Files.exists(folder) ? " is not a folder" : " does not exist")
                    + "; give a folder with runs, or for future runs, for example runs");
        }
        try (StopRequest stop = StopRequest.onSignals(System.err::println, new Closing());
                Dashboard dashboard = Dashboard.start(settings())) {
            print(dashboard, spec.commandLine().getOut());
            stop.await();
        }
        return ExitCode.DONE.code();
    }

    /** Serving can be stopped at any time, so its messages mention no iteration. */
    private static final class Closing implements StopRequest.Work {
        @Override
        public String finishing() {
            return "closing; press Ctrl-C again to stop at once";
        }

        @Override
        public String stopping() {
            return "stopping at once";
        }
    }

    private Dashboard.Settings settings() {
        Dashboard.Settings settings = Dashboard.Settings.of(folder)
                .withHost(host)
                .withAllowedHosts(allowedHosts)
                .withLedgers(ledgers);
        if (port != -1) {
            requirePort("--port", port);
            settings = settings.withPort(port);
        }
        return tokenFile.toString().isEmpty() ? settings : settings.withTokenFile(tokenFile);
    }

    static void requirePort(String option, int port) {
        if (port < 0 || port > LAST_PORT) {
            throw new UserException(option + " needs a number from 0 to " + LAST_PORT + ", got '" + port + "'");
        }
    }

    private void print(Dashboard dashboard, PrintWriter out) {
        out.println("dashboard: " + dashboard.address());
        dashboard.tokens().ifPresent(tokens -> print(dashboard, tokens, out));
        if (!dashboard.isLoopback()) {
            out.println("  Everybody who can reach this machine can connect, and nothing is encrypted: on an untrusted"
                    + " network use an SSH tunnel or a proxy with TLS (docs/dashboard.md).");
        }
        if (!dashboard.hasContents()) {
            out.println("  There are no runs in " + folder + " yet; new ones appear here. To start one: "
                    + TrainCommand.COMMAND + " train --env Pendulum-v1 --out "
                    + Shell.quoted(folder.resolve("first").toString()));
        }
        out.println("  Ctrl-C stops the dashboard; runs continue.");
        out.flush();
    }

    private void print(Dashboard dashboard, Tokens tokens, PrintWriter out) {
        out.println("  to view:  " + dashboard.loginAddress(tokens.viewer()));
        out.println("  to rate:  " + dashboard.loginAddress(tokens.rater()));
        out.println(
                tokenFile.toString().isEmpty()
                        ? "  These addresses grant access and are not shown again; --token-file keeps them."
                        : "  These addresses grant access; the tokens are in " + tokenFile + ".");
    }
}
