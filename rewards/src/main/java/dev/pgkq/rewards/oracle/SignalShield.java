package dev.pgkq.rewards.oracle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Makes commands ignore SIGINT and SIGHUP. A terminal sends them to every process in the foreground, on Ctrl-C and when it is
 * closed, while training waits for the answers of its programs; a program that ends because of it would have to be started, and
 * paid for, again.
 *
 * <p>An ignored signal stays ignored across {@code exec} and in child processes, unless they handle it. So a shell ignores them and
 * then becomes the program; it passes program and arguments on as words without interpreting them. A separate session or process
 * group would work, too, but would take the terminal away from a program that asks a person.
 */
final class SignalShield {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final String IGNORE_AND_BECOME = "trap '' INT HUP; exec \"$@\"";
    /** A valid name of a shell variable. A shell may drop others, in which bash keeps exported functions. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private SignalShield() {}

    /** The command to start in place of {@code command}, with the same environment; unchanged if there is no shell. */
    static List<String> shielded(List<String> command, Map<String, String> environment) {
        if (!Files.isExecutable(SHELL)) {
            return command;
        }
        List<String> words = new ArrayList<>(List.of(SHELL.toString(), "-c", IGNORE_AND_BECOME, "sh"));
        List<String> odd = environment.entrySet().stream()
                .filter(variable -> !PLAIN.matcher(variable.getKey()).matches())
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .toList();
        // env would treat a program with = in its path as a variable
        if (!odd.isEmpty() && !command.getFirst().contains("=")) {
            words.add("env");
            words.addAll(odd);
        }
        words.addAll(command);
        return words;
    }
}
