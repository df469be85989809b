package dev.pgkq.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Foreign text inside a message: shortened, on one line, and without control characters that a terminal would obey. */
public final class Excerpt {
    private static final Pattern MARKS = Pattern.compile("[\\s~^]*");
    private static final int LINES = 3;
    private static final int LONGEST = 600;
    private static final int LONGEST_END = 300;
    private static final int BRIEF = 240;
    private static final int LONGEST_QUOTE = 160;

    private Excerpt() {}

    /**
     * Excerpts the beginning of a text.
     *
     * @param text of any length
     * @return at most 600 characters of it, and an ellipsis if there were more
     */
    public static String first(String text) {
        String plain = plain(text);
        return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST) + "…";
    }

    /**
     * Quotes the beginning of an answer.
     *
     * @param answer text in UTF-8
     * @return at most 160 characters of it in quotation marks; empty if the answer is blank
     */
    public static String quoted(byte[] answer) {
        // a character has at most 4 bytes in UTF-8
        String text = plain(new String(answer, 0, Math.min(answer.length, 4 * LONGEST_QUOTE), UTF_8))
                .replace('“', '"')
                .replace('”', '"');
        boolean cut = text.length() > LONGEST_QUOTE || answer.length > 4 * LONGEST_QUOTE;
        return text.isEmpty()
                ? ""
                : "“" + (text.length() > LONGEST_QUOTE ? text.substring(0, LONGEST_QUOTE) : text) + (cut ? "…”" : "”");
    }

    /**
     * Excerpts the end of a text, for example of a log.
     *
     * @param text of any length
     * @return its last three lines, at most 300 characters, separated by slashes. Lines that are blank, or only mark a place in the line
     *     above as Python's tracebacks do, are left out
     */
    public static String last(String text) {
        List<String> lines =
                text.lines().filter(line -> !MARKS.matcher(line).matches()).toList();
        String plain = lines.subList(Math.max(0, lines.size() - LINES), lines.size()).stream()
                .map(Excerpt::plain)
                .collect(Collectors.joining(" / "));
        return plain.length() <= LONGEST_END ? plain : "…" + plain.substring(plain.length() - LONGEST_END);
    }

    /**
     * Shortens a message that has been shown before.
     *
     * @param message of any length
     * @return at most 240 characters of it, up to the end of a word, and an ellipsis if there were more
     */
    public static String brief(String message) {
        return message.length() <= BRIEF ? message : message.substring(0, BRIEF).replaceFirst("\\s+\\S*$", "") + " …";
    }

    private static String plain(String text) {
        return text.replaceAll("[\\s\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cf}]+", " ").strip();
    }
}
