package dev.pgkq.app.report;

import java.util.List;
import java.util.stream.Collectors;

/** Builds pieces of HTML. Arguments whose names start with {@code html} are markup; all others are text and are escaped. */
final class Html {
    private Html() {}

    /** Escapes text for an element or a quoted attribute. */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                // control characters are not allowed in HTML, and some truncate the page in old readers
                default -> escaped.appendCodePoint(c < ' ' && c != '\n' && c != '\t' ? '\ufffd' : c);
            }
        });
        return escaped.toString();
    }

    static String element(String tag, String html) {
        return "<" + tag + ">" + html + "</" + tag + ">";
    }

    static String text(String tag, String text) {
        return element(tag, escape(text));
    }

    /** A name without line breaks at its hyphens. */
    static String name(String text) {
        return "<span class=\"name\">" + escape(text) + "</span>";
    }

    /** A section heading with an anchor. */
    static String heading(String id, String text) {
        return "<h2 id=\"" + escape(id) + "\">" + escape(text) + "</h2>\n";
    }

    /**
     * A table that scrolls horizontally if the window is too narrow. The first column is text, the others are numbers.
     */
    static String table(String caption, List<String> heads, List<List<String>> htmlRows) {
        String head = heads.stream()
                .map(name -> "<th scope=\"col\">" + escape(name) + "</th>")
                .collect(Collectors.joining());
        String body = htmlRows.stream()
                .map(row -> "<tr><th scope=\"row\">" + row.getFirst() + "</th>"
                        + row.stream().skip(1).map(cell -> element("td", cell)).collect(Collectors.joining())
                        + "</tr>\n")
                .collect(Collectors.joining());
        return "<div class=\"scroll\"><table><caption>" + escape(caption) + "</caption>\n<thead><tr>" + head
                + "</tr></thead>\n<tbody>\n" + body + "</tbody></table></div>\n";
    }

    static String list(List<String> htmlItems) {
        return "<ul>\n"
                + htmlItems.stream().map(item -> element("li", item) + "\n").collect(Collectors.joining()) + "</ul>\n";
    }

    /** A collapsed section. */
    static String details(String summary, String html) {
        return "<details><summary>" + escape(summary) + "</summary>\n" + html + "</details>\n";
    }

    /** An embedded figure with a caption. */
    static String figure(String svg, String caption) {
        return figure(svg, caption, "");
    }

    /** A figure of several panels, which scrolls horizontally if the window is too narrow to read it. */
    static String wideFigure(String svg, String caption) {
        return figure(svg, caption, " class=\"wide\"");
    }

    private static String figure(String svg, String caption, String attributes) {
        String labelled = svg.replaceFirst(
                "<svg ", "<svg role=\"img\" aria-label=\"" + escape(caption).replace("$", "\\$") + "\" ");
        return "<figure" + attributes + ">\n" + labelled + "\n<figcaption>" + escape(caption)
                + "</figcaption>\n</figure>\n";
    }
}
