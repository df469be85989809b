package dev.pgkq.rewards.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Texts that every database takes. */
final class Texts {
    /** Enough to see what went wrong; an oracle may print a book. */
    static final int LONGEST_ERROR = 2000;

    private Texts() {}

    /** Without the character 0, which PostgreSQL refuses, and without halves of characters. */
    static String storable(String text) {
        return new String(text.replace('\0', '?').getBytes(UTF_8), UTF_8);
    }

    /** An error as it is kept: its beginning, and a note if there was more. */
    static String bounded(String error) {
        String text = error.strip();
        return storable(text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR - 1) + "…");
    }
}
