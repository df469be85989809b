package dev.pgkq.rewards.oracle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Commands that do not hear Ctrl-C. A terminal sends it to every process in the foreground, and a program that dies of it
 * would have to be asked, and paid, again, while pgkq waits for its answer.
 *
 * <p>A signal that is ignored stays ignored in the program that takes a process over, and in all that it starts, unless
 * they say otherwise. So a shell ignores it and becomes the program; it sees program and arguments as words that it does not
 * read. A session or process group of its own would do as well, but would take the terminal from a program that asks a
 * person.
 */
final class SignalShield {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final String IGNORE_AND_BECOME = "trap '' INT; exec \"$@\"";
    /** What a shell takes for the name of a variable; others it may drop, and bash keeps exported functions in such. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private SignalShield() {}

    /**
     * The command as it is to be started, with the environment that it will have. Where there is no shell it is as it was.
     */
    static List<String> words(List<String> command, Map<String, String> environment) {
        if (!Files.isExecutable(SHELL)) {
            return command;
        }
        List<String> words = new ArrayList<>(List.of(SHELL.toString(), "-c", IGNORE_AND_BECOME, "sh"));
        List<String> odd = environment.entrySet().stream()
                .filter(variable -> !PLAIN.matcher(variable.getKey()).matches())
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .toList();
        // env would take a program with a = in its path for a variable
        if (!odd.isEmpty() && !command.getFirst().contains("=")) {
            words.add("env");
            words.addAll(odd);
        }
        words.addAll(command);
        return words;
    }
}
