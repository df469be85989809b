package dev.pgkq.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Long texts in lines that are broken between words. */
public final class Paragraph {
    /** What can be taken in at a glance: about three sentences. */
    private static final int LONG = 300;

    private static final int LONGEST_HEADLINE = 160;
    private static final int SHORTEST_HEADLINE = 20;
    private static final Pattern SENTENCE = Pattern.compile("[.!?](?= [\\p{Lu}0-9])");
    private static final Pattern CLAUSE = Pattern.compile("[;:](?= )");

    private Paragraph() {}

    /**
     * Lines of at most {@code width} columns, of which all but the first begin with {@code indent}. A word that is longer
     * than that, such as a path, stays whole, so that it can be copied.
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

    /** A message that is long gets a short first line, and the rest below it, a little to the right. */
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

    /** Where the first one of a fitting length ends; 0 if there is none. */
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
