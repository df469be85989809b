package dev.pgkq.app;

import dev.pgkq.app.command.DoctorCommand;
import dev.pgkq.app.command.EnvsCommand;
import dev.pgkq.app.command.EvaluateCommand;
import dev.pgkq.app.command.LedgerCommand;
import dev.pgkq.app.command.PlotCommand;
import dev.pgkq.app.command.ReproduceCommand;
import dev.pgkq.app.command.SelectCommand;
import dev.pgkq.app.command.ServeCommand;
import dev.pgkq.app.command.TrainCommand;
import dev.pgkq.app.terminal.Advice;
import dev.pgkq.app.terminal.Terminal;
import dev.pgkq.text.NearestNames;
import dev.pgkq.text.Paragraph;
import dev.pgkq.text.UserException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line tool. */
@Command(
        name = "pgkq",
        description = "Trains policies when evaluating rewards is the expensive part.",
        mixinStandardHelpOptions = true,
        version = "pgkq 0.1.0",
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "'pgkq COMMAND --help' tells more. Benchmarks: 'pgkq bench'."})
public final class Main implements Runnable {
    private static final String DEBUG = "--debug";
    /** Something a person gave was wrong. */
    static final int BAD_INPUT = 2;
    /** The machine was not enough. */
    static final int OUT_OF_MEMORY = 71;
    /** Our fault. */
    static final int BUG = 70;

    @CommandLine.Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, args));
    }

    /** Runs a command and returns its exit code: 0 fine, 2 bad input, 130 stopped by Ctrl-C. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        // SQLite's driver would have it told that nobody listens to its log
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        boolean debug = Arrays.asList(args).contains(DEBUG);
        List<String> rest =
                Arrays.stream(args).filter(arg -> !arg.equals(DEBUG)).toList();
        CommandLine line = commandLine(debug).setOut(out).setErr(err);
        try {
            return line.execute(rest.toArray(String[]::new));
        } catch (Error e) {
            return failed(e, line, debug);
        }
    }

    private static CommandLine commandLine(boolean debug) {
        CommandLine line = new CommandLine(new Main());
        line.addSubcommand("train", TrainCommand.spec());
        line.addSubcommand("reproduce", new ReproduceCommand());
        line.addSubcommand("evaluate", new EvaluateCommand());
        line.addSubcommand("plot", new PlotCommand());
        line.addSubcommand("select", new SelectCommand());
        line.addSubcommand("ledger", new LedgerCommand());
        line.addSubcommand("serve", new ServeCommand());
        line.addSubcommand("envs", new EnvsCommand());
        line.addSubcommand("doctor", new DoctorCommand());
        line.setParameterExceptionHandler(Main::badArguments);
        line.setExecutionExceptionHandler((e, command, result) -> failed(e, command, debug));
        line.setUsageHelpAutoWidth(true);
        line.setAbbreviatedOptionsAllowed(false);
        return line;
    }

    private static int badArguments(ParameterException e, String[] args) {
        CommandSpec command = e.getCommandLine().getCommandSpec();
        String message = String.valueOf(e.getMessage());
        if (e instanceof UnmatchedArgumentException unmatched) {
            String given = unmatched.getUnmatched().getFirst();
            boolean option = given.startsWith("-");
            List<String> known = List.copyOf(
                    option
                            ? command.optionsMap().keySet()
                            : command.subcommands().keySet());
            message = "unknown " + (option ? "option" : "argument") + " '" + given + "'"
                    + NearestNames.hint(given, known);
        }
        e.getCommandLine()
                .getErr()
                .println("pgkq: " + Character.toLowerCase(message.charAt(0)) + message.substring(1) + " ('"
                        + command.qualifiedName() + " --help' lists what there is)");
        return BAD_INPUT;
    }

    private static int failed(Throwable e, CommandLine command, boolean debug) {
        PrintWriter err = command.getErr();
        if (debug) {
            e.printStackTrace(err);
        }
        if (e instanceof UserException fixable) {
            Paragraph.message("pgkq: " + Advice.message(fixable), Terminal.STANDARD_ERROR.columns() - 1)
                    .forEach(err::println);
            return BAD_INPUT;
        }
        if (e instanceof OutOfMemoryError) {
            err.println(
                    "pgkq: out of memory (" + e.getMessage() + "): give Java more with PGKQ_JAVA_OPTS=-Xmx8g, or use a"
                            + " smaller --batch or fewer --threads. What was saved is intact");
            return OUT_OF_MEMORY;
        }
        err.println("pgkq: internal error: " + e + (debug ? "" : "; --debug shows where. What was saved is intact"));
        return BUG;
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
