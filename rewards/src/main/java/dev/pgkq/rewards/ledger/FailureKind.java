package dev.pgkq.rewards.ledger;

import java.util.regex.Pattern;

/** What evaluations that failed alike have in common: the reason, without what belongs to one of them only. */
public final class FailureKind {
    private static final Pattern GAVE_UP = Pattern.compile("^gave up after [0-9]+ attempts; at last: ");
    /** Somebody's own words, which may be others every time. */
    private static final Pattern QUOTED = Pattern.compile("“[^”]*”");
    /** Keys, and folders that are named after them: {@code 4f1c….2-3}. */
    private static final Pattern KEY =
            Pattern.compile("(?<![0-9A-Za-z])(?=[a-f]*[0-9])[0-9a-f]{12,}(\\.[0-9]+)?(-[0-9]+)?(?![0-9A-Za-z])");

    private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");
    private static final Pattern SPACES = Pattern.compile("\\s+");

    private FailureKind() {}

    /** The same text for errors that differ in keys, numbers (times, ports, process ids) and quoted words only. */
    public static String of(String error) {
        String text = GAVE_UP.matcher(error.strip()).replaceFirst("");
        text = QUOTED.matcher(text).replaceAll("“…”");
        text = KEY.matcher(text).replaceAll("KEY");
        text = NUMBER.matcher(text).replaceAll("0");
        return SPACES.matcher(text).replaceAll(" ");
    }
}
