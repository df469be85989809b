package dev.pgkq.app.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Shows numbers as dots with their intervals as bars.
 *
 * @param marks values to mark with a vertical line, such as baselines
 * @param columns charts side by side, each with its own scale, so that outliers in one do not compress the others
 */
public record IntervalChart(String name, String xLabel, List<Mark> marks, List<Column> columns) implements Drawing {
    private static final int SCALE = 300;
    private static final int ROW = 30;
    private static final int TOP = 74;
    private static final int BOTTOM = 62;
    private static final int MARGIN = 14;
    private static final int LEGEND = 26;
    private static final int GAP = 14;
    private static final double DOT = 9;

    /** A labelled value. */
    public record Mark(double value, String label) {}

    /** One chart, with its rows from the top. */
    public record Column(String title, List<Dot> dots) {}

    /**
     * A number.
     *
     * @param low lower end of its interval; NaN if there is none
     */
    public record Dot(String label, LineStyle style, double value, double low, double high) {}

    @Override
    public int width() {
        return columns.size() * columnWidth() + 2 * MARGIN;
    }

    private int columnWidth() {
        return namesWidth() + LEGEND + GAP + SCALE + 2 * GAP;
    }

    private int namesWidth() {
        FontMetrics metrics = Fonts.metrics(Fonts.sans(13));
        return columns.stream()
                .flatMap(column -> column.dots().stream())
                .mapToInt(dot -> metrics.stringWidth(dot.label()))
                .max()
                .orElse(0);
    }

    @Override
    public int height() {
        int rows =
                columns.stream().mapToInt(column -> column.dots().size()).max().orElse(1);
        return TOP + rows * ROW + BOTTOM;
    }

    /** The range of the scale: all values and intervals, with very long intervals cut so that they do not compress others. */
    private double[] range(Column column) {
        double[] all = column.dots().stream()
                .flatMapToDouble(dot -> DoubleStream.of(
                        dot.value(), Math.max(dot.low(), dot.value() - 2), Math.min(dot.high(), dot.value() + 2)))
                .filter(Double::isFinite)
                .toArray();
        double low = Math.min(DoubleStream.of(all).min().orElse(0), lowestMark());
        double high = Math.max(DoubleStream.of(all).max().orElse(1), highestMark());
        double padding = 0.04 * (high - low);
        return new double[] {low - padding, high + padding};
    }

    private double lowestMark() {
        return marks.stream().mapToDouble(Mark::value).min().orElse(0);
    }

    private double highestMark() {
        return marks.stream().mapToDouble(Mark::value).max().orElse(1);
    }

    @Override
    public void draw(Graphics2D graphics) {
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setPaint(Color.WHITE);
        graphics.fill(new Rectangle2D.Double(0, 0, width(), height()));
        for (int i = 0; i < columns.size(); i++) {
            draw(graphics, columns.get(i), MARGIN + (double) i * columnWidth());
        }
    }

    private void draw(Graphics2D graphics, Column column, double left) {
        double start = left + LEGEND + namesWidth() + GAP;
        Scale scale = new Scale(range(column), start, start + SCALE);
        double bottom = TOP + (double) column.dots().size() * ROW;
        graphics.setPaint(FigureChart.INK);
        graphics.setFont(Fonts.sans(15));
        centred(graphics, column.title(), scale.middle(), 24);
        drawAxis(graphics, scale, bottom);
        for (int i = 0; i < column.dots().size(); i++) {
            Dot dot = column.dots().get(i);
            double y = TOP + (i + 0.5) * ROW;
            graphics.setPaint(dot.style().colour());
            graphics.setStroke(dot.style().stroke());
            graphics.draw(new Line2D.Double(left, y, left + LEGEND, y));
            graphics.setPaint(FigureChart.INK);
            graphics.setFont(Fonts.sans(13));
            graphics.drawString(dot.label(), (float) left + LEGEND + 6, (float) y + 5);
            drawDot(graphics, scale, dot, y);
        }
    }

    private void drawAxis(Graphics2D graphics, Scale scale, double bottom) {
        graphics.setFont(Fonts.sans(12));
        double step = AxisTicks.roundStep((scale.range[1] - scale.range[0]) / 9);
        for (double tick = Math.ceil(scale.range[0] / step); tick * step <= scale.range[1]; tick++) {
            double x = scale.x(tick * step);
            graphics.setPaint(FigureChart.GRID);
            graphics.setStroke(new BasicStroke(1));
            graphics.draw(new Line2D.Double(x, TOP, x, bottom));
            graphics.setPaint(FigureChart.INK);
            String format = step < 0.1 ? "%.2f" : step < 1 ? "%.1f" : "%.0f";
            centred(graphics, String.format(Locale.ROOT, format, tick * step + 0.0), x, bottom + 17);
        }
        drawMarks(graphics, scale, bottom);
        graphics.setFont(Fonts.sans(13));
        centred(graphics, xLabel, scale.middle(), bottom + 40);
    }

    private void drawMarks(Graphics2D graphics, Scale scale, double bottom) {
        FontMetrics metrics = Fonts.metrics(graphics.getFont());
        double[] labels =
                marks.stream().mapToDouble(mark -> scale.x(mark.value())).toArray();
        for (int i = 1; i < labels.length; i++) {
            double room = (metrics.stringWidth(marks.get(i - 1).label())
                                    + metrics.stringWidth(marks.get(i).label()))
                            / 2.0
                    + GAP / 2.0;
            double apart = Math.max(0, room - (labels[i] - labels[i - 1])) / 2;
            labels[i - 1] -= apart;
            labels[i] += apart;
        }
        for (int i = 0; i < labels.length; i++) {
            double x = scale.x(marks.get(i).value());
            graphics.setPaint(FigureChart.INK);
            graphics.setStroke(new BasicStroke(1.2f));
            graphics.draw(new Line2D.Double(x, TOP - 6.0, x, bottom));
            centred(graphics, marks.get(i).label(), labels[i], TOP - 12.0);
        }
    }

    private static void drawDot(Graphics2D graphics, Scale scale, Dot dot, double y) {
        graphics.setPaint(dot.style().colour());
        if (!Double.isNaN(dot.low()) && !Double.isNaN(dot.high())) {
            graphics.setStroke(new BasicStroke(4, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND));
            graphics.draw(new Line2D.Double(scale.x(dot.low()), y, scale.x(dot.high()), y));
        }
        double x = scale.x(dot.value());
        graphics.fill(new Ellipse2D.Double(x - DOT / 2, y - DOT / 2, DOT, DOT));
        graphics.setPaint(Color.WHITE);
        graphics.setStroke(new BasicStroke(1.2f));
        graphics.draw(new Ellipse2D.Double(x - DOT / 2, y - DOT / 2, DOT, DOT));
    }

    private static void centred(Graphics2D graphics, String text, double x, double y) {
        int width = Fonts.metrics(graphics.getFont()).stringWidth(text);
        graphics.drawString(text, (float) (x - width / 2.0), (float) y);
    }

    /** Maps numbers to positions; clamps numbers outside the range to its ends. */
    private record Scale(double[] range, double left, double right) {
        double x(double value) {
            double share = (value - range[0]) / (range[1] - range[0]);
            return left + Math.clamp(share, 0, 1) * (right - left);
        }

        double middle() {
            return (left + right) / 2;
        }
    }
}
