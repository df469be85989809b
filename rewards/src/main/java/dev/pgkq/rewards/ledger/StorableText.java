package dev.pgkq.rewards.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Converts text to a form that every database accepts. */
final class StorableText {
    /** Long enough to show what went wrong; a program may write megabytes. */
    static final int LONGEST_ERROR = 2000;

    private StorableText() {}

    /** Replaces the character 0, which PostgreSQL rejects, and unpaired surrogates. */
    static String of(String text) {
        return new String(text.replace('\0', '?').getBytes(UTF_8), UTF_8);
    }

    /** An error message, cut to {@link #LONGEST_ERROR} characters. */
    static String ofError(String error) {
        String text = error.strip();
        return of(text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR - 1) + "…");
    }
}
