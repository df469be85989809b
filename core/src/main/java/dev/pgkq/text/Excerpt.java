package dev.pgkq.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.stream.Collectors;

/** Words of somebody else inside a message of ours: short, on one line, and nothing that a terminal would obey. */
public final class Excerpt {
    private static final int LINES = 5;
    private static final int LONGEST = 600;
    private static final int LONGEST_QUOTE = 160;

    private Excerpt() {}

    /** The beginning. */
    public static String first(String text) {
        String plain = plain(text);
        return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST) + "…";
    }

    /** What somebody answered, in quotation marks; empty if he said nothing. */
    public static String quoted(byte[] answer) {
        // as many bytes as there can be in so many characters
        String text = plain(new String(answer, 0, Math.min(answer.length, 4 * LONGEST_QUOTE), UTF_8))
                .replace('“', '"')
                .replace('”', '"');
        boolean cut = text.length() > LONGEST_QUOTE || answer.length > 4 * LONGEST_QUOTE;
        return text.isEmpty()
                ? ""
                : "“" + (text.length() > LONGEST_QUOTE ? text.substring(0, LONGEST_QUOTE) : text) + (cut ? "…”" : "”");
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
