package dev.pgkq.app.command;

import dev.pgkq.advise.AdviserSettings;
import dev.pgkq.app.config.Words;
import dev.pgkq.app.web.AdviserServer;
import dev.pgkq.app.web.Dashboard;
import dev.pgkq.app.web.ServiceFile;
import dev.pgkq.app.web.Tokens;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.rewards.advise.FolderTaken;
import dev.pgkq.rewards.advise.Status;
import dev.pgkq.rewards.desk.Budget;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.select.Pace;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pgkq advise DIR}: says other programs which items to score, and estimates the rewards of all, until Ctrl-C. */
@Command(
        name = "advise",
        description = "Tells other training loops which items to score, and estimates the rewards of all of them.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Programs ask and tell by HTTP. Everything is kept in DIR, so it can be stopped and started at any time. Only this"
                    + " machine can connect unless --host says otherwise; then requests need a token. More: docs/adviser.md."
        })
public final class AdviseCommand implements Callable<Integer> {
    private static final String AUTO = "auto";
    private static final String PER = "--per";

    /** What one score is for. */
    enum Per {
        ITEM(Grain.EPISODE),
        STEP(Grain.STEP);

        private final Grain grain;

        Per(Grain grain) {
            this.grain = grain;
        }
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "DIR",
            description = "folder for rounds, scores and what was learned; created if it is missing")
    private Path folder = Path.of("");

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "address to listen on; 0.0.0.0 for all addresses of this machine (default: ${DEFAULT-VALUE})")
    private String host = Dashboard.Settings.LOOPBACK;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "port to listen on; 0 for any free port (default: ${DEFAULT-VALUE})")
    private int port = AdviserServer.Settings.USUAL_PORT;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "keep the tokens in this file, so that they stay valid after a restart; with it, programs on this"
                            + " machine need a token, too")
    private Path tokenFile = Path.of("");

    @Option(
            names = "--allow-host",
            paramLabel = "NAME",
            description = "a host name that requests use, for instance that of a reverse proxy; may be repeated")
    private List<String> allowedHosts = new ArrayList<>();

    @Option(
            names = "--max-evaluations",
            paramLabel = "N",
            description = "hand out at most so many items, over all rounds and starts (default: no limit)")
    private long maxEvaluations = -1;

    @Option(
            names = "--max-cost",
            paramLabel = "SUM",
            description =
                    "hand out nothing that is expected to make scores cost more than this together (default: no limit)")
    private double maxCost = Double.POSITIVE_INFINITY;

    @Option(
            names = "--cost",
            paramLabel = "SUM",
            description = "what a score costs that is told without a cost (default: ${DEFAULT-VALUE})")
    private double cost;

    @Option(
            names = "--select",
            paramLabel = "N|auto",
            description =
                    "items to score in a round, unless the question says otherwise; auto decides by what is known, and"
                            + " takes at most an eighth (default: ${DEFAULT-VALUE})")
    private String select = AUTO;

    @Option(
            names = PER,
            paramLabel = "item|step",
            description =
                    "whether an item has one score, or each of its steps has one (default: item, or what it was before)")
    private String per = "";

    @Option(
            names = "--judge",
            paramLabel = "NAME",
            description =
                    "who scores, unless the question says otherwise: scores of different judges are kept apart (default:"
                            + " ${DEFAULT-VALUE})")
    private String judge = DurableAdviser.Options.JUDGE;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "determines random numbers (default: 1, or what it was before)")
    private Optional<Long> seed = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "threads for computations (default: one for each core)")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--parent-stdin",
            description =
                    "for programs that start this as a child: print one line when ready, and end when standard input"
                            + " is closed")
    private boolean child;

    @Override
    public Integer call() throws InterruptedException {
        ServeCommand.requirePort("--port", port);
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UserException(folder + " is not a folder; give a folder for the adviser, for example runs/judge");
        }
        PrintWriter err = spec.commandLine().getErr();
        DurableAdviser.Options options = options(err);
        CountDownLatch end = new CountDownLatch(1);
        try (StopRequest stop = StopRequest.onSignals(err::println, new Closing());
                DurableAdviser adviser = open(options);
                AdviserServer server = AdviserServer.start(settings(), adviser, version());
                ServiceFile file = ServiceFile.write(folder, server)) {
            print(server, adviser.status());
            endWith(end, () -> {
                stop.await();
                return true;
            });
            if (child) {
                endWith(end, AdviseCommand::awaitEndOfInput);
            }
            end.await();
        }
        return ExitCode.DONE.code();
    }

    /** Something that may take for ever. */
    @FunctionalInterface
    private interface Event {
        boolean await() throws InterruptedException, IOException;
    }

    private static void endWith(CountDownLatch end, Event event) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                event.await();
            } catch (InterruptedException | IOException e) {
                // the end of input, one way or the other
            }
            end.countDown();
        });
    }

    private static boolean awaitEndOfInput() throws IOException {
        byte[] ignored = new byte[1024];
        while (System.in.read(ignored) >= 0) {
            // what the parent writes has no meaning
        }
        return true;
    }

    private static final class Closing implements StopRequest.Work {
        @Override
        public String finishing() {
            return "closing; press Ctrl-C again to stop at once";
        }

        @Override
        public String stopping() {
            return "stopping at once; nothing is lost";
        }
    }

    private DurableAdviser open(DurableAdviser.Options options) {
        try {
            return DurableAdviser.open(folder, options);
        } catch (FolderTaken e) {
            throw ServiceFile.address(folder)
                    .map(address -> new UserException(e.getMessage() + ". It listens at " + address, e))
                    .orElse(e);
        }
    }

    private DurableAdviser.Options options(PrintWriter err) {
        if (threads < 1) {
            throw new UserException("--threads must be at least 1, got " + threads);
        }
        return new DurableAdviser.Options(
                judge,
                per.isEmpty() ? Optional.empty() : Optional.of(Words.parse(PER, per, Per.class).grain),
                seed,
                pace(),
                budget(),
                threads,
                warning -> err.println("pgkq: " + warning));
    }

    private Budget budget() {
        if (maxEvaluations < -1) {
            throw new UserException("--max-evaluations must be at least 0, got " + maxEvaluations);
        }
        if (!(maxCost > 0)) {
            throw new UserException("--max-cost must be more than 0, got " + maxCost);
        }
        if (!(cost >= 0 && cost <= Reply.HIGHEST_COST)) {
            throw new UserException("--cost must be from 0 to " + (long) Reply.HIGHEST_COST + ", got " + cost);
        }
        return new Budget(maxEvaluations == -1 ? Long.MAX_VALUE : maxEvaluations, maxCost, cost);
    }

    private Pace pace() {
        if (select.equals(AUTO)) {
            return AdviserSettings.auto(Integer.MAX_VALUE);
        }
        if (!select.matches("[1-9]\\d{0,8}")) {
            throw new UserException("--select must be auto or a number of items from 1, got '" + select + "'");
        }
        return new Pace.Fixed(Integer.parseInt(select));
    }

    private AdviserServer.Settings settings() {
        return new AdviserServer.Settings(
                host, port, allowedHosts, tokenFile.toString().isEmpty() ? Optional.empty() : Optional.of(tokenFile));
    }

    private String version() {
        return String.join(" ", spec.version());
    }

    private void print(AdviserServer server, Status status) {
        PrintWriter out = spec.commandLine().getOut();
        out.println("adviser: " + server.address());
        if (!child) {
            server.tokens().ifPresent(tokens -> print(out, server, tokens));
            if (!server.isLoopback()) {
                out.println(
                        "  Everybody who can reach this machine can connect, and nothing is encrypted: on an untrusted"
                                + " network use an SSH tunnel or a proxy with TLS (docs/dashboard.md).");
            }
            out.println("  " + folder + ": " + count(status.rounds(), "round") + ", "
                    + count(status.open().size(), "open one") + ", " + status.spent() + " evaluations handed out"
                    + (status.budget().evaluations() == Long.MAX_VALUE
                            ? ""
                            : " of " + status.budget().evaluations()));
            out.println("  This address shows its rounds in a browser; its API is described at " + server.address()
                    + "api/advise/openapi.json. Ctrl-C stops it; everything is kept.");
        }
        out.flush();
    }

    private void print(PrintWriter out, AdviserServer server, Tokens tokens) {
        out.println("  to ask and tell, send:  Authorization: Bearer " + tokens.rater());
        out.println("  to read only, send:     Authorization: Bearer " + tokens.viewer());
        out.println("  to look at its rounds:  " + server.loginAddress(tokens.viewer()));
        out.println(
                tokenFile.toString().isEmpty()
                        ? "  These tokens are not shown again; --token-file keeps them."
                        : "  The tokens are in " + tokenFile + ".");
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
