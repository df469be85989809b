package dev.pgkq.app.terminal;

import java.util.List;
import java.util.stream.Collectors;

/** Commands for people to copy. */
public final class Shell {
    private Shell() {}

    /** A word that a shell takes as it is. */
    public static String quoted(String word) {
        return word.matches("[A-Za-z0-9_.,:/=+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    public static String command(List<String> words) {
        return words.stream().map(Shell::quoted).collect(Collectors.joining(" "));
    }
}
