package dev.pgkq.app.terminal;

import java.util.List;
import java.util.stream.Collectors;

/** Formats commands that users can copy into a shell. */
public final class Shell {
    private Shell() {}

    /** The word, quoted if a shell would not take it literally. */
    public static String quoted(String word) {
        return word.matches("[A-Za-z0-9_.,:/=+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The command made of these words, each quoted if necessary. */
    public static String command(List<String> words) {
        return words.stream().map(Shell::quoted).collect(Collectors.joining(" "));
    }
}
