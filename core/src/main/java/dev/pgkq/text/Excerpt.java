package dev.pgkq.text;

import java.util.List;
import java.util.stream.Collectors;

/** Words of somebody else inside a message of ours: short, on one line, and nothing that a terminal would obey. */
public final class Excerpt {
    private static final int LINES = 5;
    private static final int LONGEST = 600;

    private Excerpt() {}

    /** The beginning. */
    public static String first(String text) {
        String plain = plain(text);
        return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST) + "…";
    }

    /** The last lines. */
    public static String last(String text) {
        List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
        String plain = lines.subList(Math.max(0, lines.size() - LINES), lines.size()).stream()
                .map(Excerpt::plain)
                .collect(Collectors.joining(" / "));
        return plain.length() <= LONGEST ? plain : "…" + plain.substring(plain.length() - LONGEST);
    }

    private static String plain(String text) {
        return text.replaceAll("[\\s\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cf}]+", " ").strip();
    }
}
