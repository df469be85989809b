package dev.pgkq.app.plot;

import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Several figures in rows and columns, with a common legend below.
 *
 * @param rows rows of figures from left to right, with empty places
 */
public record Panel(String name, List<List<Optional<Figure>>> rows) implements Drawing {
    private static final int CELL_WIDTH = 470;
    private static final int CELL_HEIGHT = 310;
    private static final int MARGIN = 14;
    private static final int ENTRY_HEIGHT = 24;
    private static final int LINE = 40;
    private static final int GAP = 8;

    public Panel {
        rows = rows.stream().map(List::copyOf).toList();
    }

    private int columns() {
        return rows.stream().mapToInt(List::size).max().orElse(1);
    }

    @Override
    public int width() {
        return columns() * CELL_WIDTH + 2 * MARGIN;
    }

    @Override
    public int height() {
        return rows.size() * CELL_HEIGHT + legendRows() * ENTRY_HEIGHT + 3 * MARGIN;
    }

    /** All labels with their styles, without duplicates. Labels whose lines all come from a single seed say so. */
    Map<String, LineStyle> legend() {
        // the figure with the most lines determines the order; others add missing labels
        List<Figure.Line> lines = rows.stream()
                .flatMap(List::stream)
                .flatMap(Optional::stream)
                .sorted(Comparator.comparingInt(
                        (Figure figure) -> -figure.lines().size()))
                .flatMap(figure -> figure.lines().stream())
                .toList();
        Map<String, LineStyle> entries = new LinkedHashMap<>();
        for (Figure.Line line : lines) {
            boolean single = lines.stream()
                    .filter(other -> other.label().equals(line.label()))
                    .allMatch(other -> other.seeds() == 1);
            entries.putIfAbsent(line.label() + (single ? " (1 seed)" : ""), line.style());
        }
        return entries;
    }

    private static Font font() {
        return Fonts.sans(14);
    }

    private int entryWidth(FontMetrics metrics) {
        int widest =
                legend().keySet().stream().mapToInt(metrics::stringWidth).max().orElse(0);
        return LINE + 2 * GAP + widest + 2 * GAP;
    }

    private int legendColumns(int entryWidth) {
        return Math.max(1, Math.min(legend().size(), (width() - 2 * MARGIN) / entryWidth));
    }

    private int legendRows() {
        FontMetrics metrics = Fonts.metrics(font());
        int columns = legendColumns(entryWidth(metrics));
        return (legend().size() + columns - 1) / columns;
    }

    @Override
    public void draw(Graphics2D graphics) {
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setPaint(Color.WHITE);
        graphics.fill(new Rectangle2D.Double(0, 0, width(), height()));
        for (int row = 0; row < rows.size(); row++) {
            for (int column = 0; column < rows.get(row).size(); column++) {
                double x = MARGIN + (double) column * CELL_WIDTH;
                double y = MARGIN + (double) row * CELL_HEIGHT;
                Optional<Figure> figure = rows.get(row).get(column);
                figure.ifPresent(shown -> FigureChart.withoutLegend(shown, 13, 15)
                        .draw(graphics, new Rectangle2D.Double(x, y, CELL_WIDTH, CELL_HEIGHT)));
            }
        }
        drawLegend(graphics);
    }

    private void drawLegend(Graphics2D graphics) {
        graphics.setFont(font());
        FontMetrics metrics = Fonts.metrics(font());
        int entryWidth = entryWidth(metrics);
        int columns = legendColumns(entryWidth);
        double left = (width() - columns * entryWidth) / 2.0;
        double top = MARGIN + (double) rows.size() * CELL_HEIGHT + MARGIN;
        List<String> labels = new ArrayList<>(legend().keySet());
        for (int i = 0; i < labels.size(); i++) {
            LineStyle style = legend().getOrDefault(labels.get(i), new LineStyle(Color.BLACK, 1, 0));
            double x = left + (double) (i % columns) * entryWidth;
            double middle = top + (i / columns + 0.5) * ENTRY_HEIGHT;
            graphics.setPaint(style.colour());
            graphics.setStroke(style.stroke());
            graphics.draw(new Line2D.Double(x, middle, x + LINE, middle));
            graphics.setPaint(FigureChart.INK);
            graphics.drawString(
                    labels.get(i), (float) (x + LINE + GAP), (float) (middle + metrics.getAscent() / 2.0 - 1));
        }
    }
}
