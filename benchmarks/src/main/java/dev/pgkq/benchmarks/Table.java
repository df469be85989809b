package dev.pgkq.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** Formats rows as text with aligned columns and as Markdown. */
final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> lines = new ArrayList<>();

    Table(List<Row> rows) {
        lines.add(Row.HEADINGS);
        for (Row row : rows) {
            lines.add(row.cells());
        }
    }

    String text() {
        return aligned(lines);
    }

    String markdown() {
        return markdown(lines);
    }

    /** Formats lines of cells, headings first, as text with aligned columns. */
    static String aligned(List<List<String>> lines) {
        int[] widths = new int[lines.getFirst().size()];
        for (List<String> line : lines) {
            for (int c = 0; c < widths.length; c++) {
                widths[c] = Math.max(widths[c], line.get(c).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder cells = new StringBuilder();
            for (int c = 0; c < widths.length; c++) {
                String cell = line.get(c);
                cells.append(cell).append(" ".repeat(widths[c] - cell.length())).append(GAP);
            }
            text.append(cells.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** Formats lines of cells, headings first, as a Markdown table. */
    static String markdown(List<List<String>> lines) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            List<String> cells =
                    lines.get(i).stream().map(cell -> cell.replace("|", "\\|")).toList();
            text.append("| ").append(String.join(" | ", cells)).append(" |\n");
            if (i == 0) {
                text.append("|---".repeat(cells.size())).append("|\n");
            }
        }
        return text.toString();
    }
}
