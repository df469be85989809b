package dev.pgkq.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Long texts, broken into lines between words. */
public final class Paragraph {
    /** Messages up to this length, about three sentences, stay on one line. */
    private static final int LONG = 300;

    private static final int LONGEST_HEADLINE = 160;
    private static final int SHORTEST_HEADLINE = 20;
    private static final Pattern SENTENCE = Pattern.compile("[.!?](?= [\\p{Lu}0-9])");
    private static final Pattern CLAUSE = Pattern.compile("[;:](?= )");

    private Paragraph() {}

    /**
     * Breaks a text into lines. A word that is longer than a line, such as a path, stays whole, so that it can be
     * copied.
     *
     * @param text whose white space may be anything
     * @param width the most columns of a line
     * @param indent what all lines but the first start with
     * @return the lines, at least one
     */
    public static List<String> lines(String text, int width, String indent) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.strip().split("\\s+")) {
            if (line.length() > (lines.isEmpty() ? 0 : indent.length()) && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
                line.append(indent).append(word);
            } else {
                line.append(line.isEmpty() || line.length() == indent.length() && !lines.isEmpty() ? "" : " ")
                        .append(word);
            }
        }
        lines.add(line.toString());
        return lines;
    }

    /**
     * Breaks a message into lines. A long one gets a short first line, and the rest below it is indented.
     *
     * @param text the message; one that already has several lines stays as it is
     * @param width the most columns of a line
     * @return the lines
     */
    public static List<String> message(String text, int width) {
        if (text.length() <= LONG || text.contains("\n")) {
            return List.of(text);
        }
        int end = end(SENTENCE, text);
        end = end > 0 ? end : end(CLAUSE, text);
        if (end == 0) {
            return lines(text, width, "  ");
        }
        List<String> lines = new ArrayList<>(lines(text.substring(0, end), width, "  "));
        lines(text.substring(end), width - 2, "").forEach(line -> lines.add("  " + line));
        return lines;
    }

    /** Where the first headline of a suitable length ends; 0 if there is none. */
    private static int end(Pattern pattern, String text) {
        Matcher ends = pattern.matcher(text);
        while (ends.find() && ends.end() <= LONGEST_HEADLINE) {
            if (ends.end() >= SHORTEST_HEADLINE) {
                return ends.end();
            }
        }
        return 0;
    }
}
