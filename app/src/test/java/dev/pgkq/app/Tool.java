package dev.pgkq.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The command line tool as tests use it: in this process, or in one of its own that can be killed. */
public final class Tool {
    private Tool() {}

    /** What a call did. */
    public record Result(int exitCode, String out, String err) {}

    public static Result run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Result(exitCode, out.toString(), err.toString());
    }

    /** Starts the tool in a process of its own; what it prints goes to {@code log}. */
    public static Process start(Path log, String... args) throws IOException {
        return start(List.of(), log, args);
    }

    /** Starts the tool as the last arguments of another program. */
    public static Process start(List<String> through, Path log, String... args) throws IOException {
        List<String> command = new ArrayList<>(through);
        command.addAll(command());
        command.addAll(Arrays.asList(args));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** The command that runs the tool, with these options for Java. */
    public static List<String> command(String... options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-modules",
                "jdk.incubator.vector",
                "-Djava.awt.headless=true"));
        // as quick to start as the JVM of the tests
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-XX:Tier4") || option.equals("-XX:+UseSerialGC"))
                .forEach(command::add);
        command.addAll(Arrays.asList(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        return command;
    }
}
