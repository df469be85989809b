package dev.pgkq.rewards.ledger;

import java.util.regex.Pattern;

/** Groups failures: reduces an error message to what evaluations that failed for the same reason have in common. */
public final class FailureKind {
    private static final Pattern GAVE_UP = Pattern.compile("^gave up after [0-9]+ attempts; (at last|last error): ");
    /** Text quoted from an oracle, which may differ every time. */
    private static final Pattern QUOTED = Pattern.compile("“[^”]*”");
    /** Keys, and names of folders derived from them: {@code 4f1c….2-3}. */
    private static final Pattern KEY =
            Pattern.compile("(?<![0-9A-Za-z])(?=[a-f]*[0-9])[0-9a-f]{12,}(\\.[0-9]+)?(-[0-9]+)?(?![0-9A-Za-z])");

    private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");
    private static final Pattern SPACES = Pattern.compile("\\s+");

    private FailureKind() {}

    /** Returns the same text for errors that differ only in keys, numbers (times, ports, process ids) and quoted text. */
    public static String of(String error) {
        String text = GAVE_UP.matcher(error.strip()).replaceFirst("");
        text = QUOTED.matcher(text).replaceAll("“…”");
        text = KEY.matcher(text).replaceAll("KEY");
        text = NUMBER.matcher(text).replaceAll("0");
        return SPACES.matcher(text).replaceAll(" ");
    }
}
