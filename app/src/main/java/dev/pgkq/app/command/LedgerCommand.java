package dev.pgkq.app.command;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.Terminal;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerCsv;
import dev.pgkq.rewards.ledger.LedgerReport;
import dev.pgkq.text.UserException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pgkq ledger}: reports costs, durations and failures of reward evaluations. It changes nothing. */
@Command(
        name = "ledger",
        description = "Reports what was spent on rewards, how long evaluations took and which failed.",
        mixinStandardHelpOptions = true,
        footer = {"", "The ledger is only read; runs may write to it at the same time. More: docs/ledger.md."})
public final class LedgerCommand implements Callable<Integer> {
    private static final int LEAST_WIDTH = 60;
    private static final int MOST_WIDTH = 120;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "RUN|FILE|URL",
            description = "a run directory, a ledger file, or jdbc:postgresql://HOST/DATABASE?user=NAME")
    private String location = "";

    @Option(names = "--csv", paramLabel = "FILE", description = "write all entries to this file, one row each")
    private Path csv = Path.of("");

    @Override
    public Integer call() {
        location = ofRun();
        PrintWriter out = spec.commandLine().getOut();
        LedgerReport report = new LedgerReport();
        if (csv.toString().isEmpty()) {
            Ledger.read(location, report);
        } else {
            LedgerCsv.write(csv, reader -> Ledger.read(location, report.andThen(reader)));
        }
        int width = Math.clamp(Terminal.STANDARD_OUTPUT.columns(), LEAST_WIDTH, MOST_WIDTH);
        LedgerReportText.lines(report, width).forEach(out::println);
        if (!csv.toString().isEmpty()) {
            out.println();
            out.println("  all entries: " + csv);
        }
        out.flush();
        return ExitCode.DONE.code();
    }

    /** The ledger in the run directory, or the one that the settings of the run name. */
    private String ofRun() {
        if (location.startsWith("jdbc:") || !Files.isDirectory(Path.of(location))) {
            return location;
        }
        RunDirectory run = new RunDirectory(Path.of(location));
        if (!Files.exists(run.ledger()) && run.holdsRun()) {
            RunConfig config = RunConfig.of(ConfigFile.read(run.config()));
            if (config.has(Setting.LEDGER)) {
                return config.text(Setting.LEDGER);
            }
        }
        if (!Files.exists(run.ledger())) {
            throw new UserException(location + " has no " + run.ledger().getFileName()
                    + ": its rewards were free, or its ledger is elsewhere; give that file or jdbc:postgresql://…");
        }
        return location;
    }
}
