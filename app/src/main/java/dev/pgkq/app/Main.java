package dev.pgkq.app;

import dev.pgkq.app.command.AdviseCommand;
import dev.pgkq.app.command.DoctorCommand;
import dev.pgkq.app.command.EnvsCommand;
import dev.pgkq.app.command.EvaluateCommand;
import dev.pgkq.app.command.ExitCode;
import dev.pgkq.app.command.ExportCommand;
import dev.pgkq.app.command.LedgerCommand;
import dev.pgkq.app.command.PlotCommand;
import dev.pgkq.app.command.ReplayCommand;
import dev.pgkq.app.command.ReproduceCommand;
import dev.pgkq.app.command.RewardCommand;
import dev.pgkq.app.command.SelectCommand;
import dev.pgkq.app.command.ServeCommand;
import dev.pgkq.app.command.StoppedRunException;
import dev.pgkq.app.command.TrainCommand;
import dev.pgkq.app.terminal.Advice;
import dev.pgkq.app.terminal.ForeignOptions;
import dev.pgkq.app.terminal.Terminal;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.NearestNames;
import dev.pgkq.text.Paragraph;
import dev.pgkq.text.UserException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
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
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "'pgkq COMMAND --help' describes a command. 'pgkq bench' runs benchmarks."})
public final class Main implements Runnable {
    private static final String ADVISE = "advise";

    private static final String DEBUG = "--debug";

    @CommandLine.Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        Optional<String> shortage = OpenFiles.shortage();
        if (shortage.isPresent()) {
            err.println("pgkq: " + shortage.get());
            System.exit(ExitCode.BAD_INPUT.code());
        }
        System.exit(run(out, err, args));
    }

    /** Runs a command and returns its {@link ExitCode}. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        // otherwise SQLite's driver makes SLF4J warn that there is no logger
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        boolean debug = Arrays.asList(args).contains(DEBUG);
        List<String> rest =
                Arrays.stream(args).filter(arg -> !arg.equals(DEBUG)).toList();
        CommandLine line = commandLine(debug, rest.isEmpty() ? "" : rest.getFirst())
                .setOut(out)
                .setErr(err);
        try {
            return line.execute(rest.toArray(String[]::new));
        } catch (Error e) {
            return failed(e, line, debug);
        }
    }

    /** All commands by name. */
    private static Map<String, Supplier<Object>> commands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("train", TrainCommand::spec);
        commands.put("reproduce", ReproduceCommand::new);
        commands.put("evaluate", EvaluateCommand::new);
        commands.put("export", ExportCommand::new);
        commands.put("replay", ReplayCommand::new);
        commands.put("plot", PlotCommand::new);
        commands.put("select", SelectCommand::new);
        commands.put(ADVISE, AdviseCommand::new);
        commands.put("reward", RewardCommand::new);
        commands.put("ledger", LedgerCommand::new);
        commands.put("serve", ServeCommand::new);
        commands.put("envs", EnvsCommand::new);
        commands.put("doctor", DoctorCommand::new);
        return commands;
    }

    /**
     * @param first the first argument. The service of an adviser is started by other programs and starts quickly without the classes of
     *     all other commands; other commands may call each other
     */
    private static CommandLine commandLine(boolean debug, String first) {
        CommandLine line = new CommandLine(new Main());
        Map<String, Supplier<Object>> commands = commands();
        commands.forEach((name, command) -> {
            if (name.equals(first) || !first.equals(ADVISE)) {
                line.addSubcommand(name, command.get());
            }
        });
        line.getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().versionProvider(new Version()));
        line.setParameterExceptionHandler(Main::badArguments);
        line.setExecutionExceptionHandler((e, command, result) -> failed(e, command, debug));
        line.setUsageHelpAutoWidth(true);
        line.setAbbreviatedOptionsAllowed(false);
        return line;
    }

    private static int badArguments(ParameterException e, String[] args) {
        CommandSpec command = e.getCommandLine().getCommandSpec();
        String message =
                e.getCause() instanceof InvalidPathException path ? reason(path) : String.valueOf(e.getMessage());
        if (e instanceof UnmatchedArgumentException unmatched) {
            String given = unmatched.getUnmatched().getFirst();
            boolean option = given.startsWith("-");
            List<String> known = List.copyOf(
                    option
                            ? command.optionsMap().keySet()
                            : command.subcommands().keySet());
            message = "unknown " + (option ? "option" : "argument") + " '" + given + "'"
                    + (option
                            ? ForeignOptions.hint(given, known)
                            : unquoted(given, args).orElseGet(() -> NearestNames.hint(given, known)));
        }
        String help = command.optionsMap().containsKey("--help-all") ? " --help-all" : " --help";
        e.getCommandLine()
                .getErr()
                .println("pgkq: " + Character.toLowerCase(message.charAt(0)) + message.substring(1) + " (see '"
                        + command.qualifiedName() + help + "')");
        return ExitCode.BAD_INPUT.code();
    }

    /** A hint if the argument seems to be the rest of a reward's command. */
    private static Optional<String> unquoted(String given, String[] args) {
        int at = List.of(args).indexOf(given);
        return at > 1 && args[at - 2].equals("--reward") && args[at - 1].startsWith("exec:")
                ? Optional.of(
                        "; quotes belong around the whole reward: --reward \"" + args[at - 1] + " " + given + "\"")
                : Optional.empty();
    }

    private static int failed(Throwable e, CommandLine command, boolean debug) {
        PrintWriter err = command.getErr();
        if (debug) {
            e.printStackTrace(err);
        }
        if (e instanceof StoppedRunException stopped) {
            int code = failed(stopped.problem(), command, false);
            err.println("to continue: " + stopped.resume());
            return code;
        }
        if (e instanceof UserException fixable) {
            Paragraph.message("pgkq: " + Advice.message(fixable), Terminal.STANDARD_ERROR.columns() - 1)
                    .forEach(err::println);
            return ExitCode.BAD_INPUT.code();
        }
        if (e instanceof InvalidPathException path) {
            err.println("pgkq: " + reason(path));
            return ExitCode.BAD_INPUT.code();
        }
        if (e instanceof OutOfMemoryError) {
            err.println("pgkq: out of memory (" + e.getMessage() + "): set PGKQ_JAVA_OPTS=-Xmx8g for more, or use a"
                    + " smaller --batch or fewer --threads. What was saved is intact");
            return ExitCode.OUT_OF_MEMORY.code();
        }
        if (OpenFiles.areExhaustedBy(e)) {
            err.println(
                    "pgkq: this process may not open more files: raise the limit, for example with 'ulimit -n 4096', and"
                            + " start again. What was saved is intact");
            return ExitCode.BAD_INPUT.code();
        }
        err.println("pgkq: internal error: " + e + (debug ? "" : "; --debug shows where. What was saved is intact"));
        return ExitCode.INTERNAL_ERROR.code();
    }

    /** Java encodes file names as the locale says, and that of C has ASCII only. */
    private static String reason(InvalidPathException e) {
        String names = System.getProperty("sun.jnu.encoding", "");
        return "'" + Excerpt.first(e.getInput()) + "' cannot be the name of a file"
                + (names.equals("UTF-8")
                        ? ": " + e.getReason()
                        : " in this locale, whose encoding is " + names
                                + ": set LANG=C.UTF-8, and LC_ALL to the same if it is set");
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
