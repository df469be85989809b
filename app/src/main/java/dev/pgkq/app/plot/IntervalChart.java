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
 * Numbers as dots on a common scale with their intervals as bars: which is ahead, and how sure that is, at one glance.
 *
 * @param marks values to mark with a line across, such as what is reached without doing anything
 * @param columns charts side by side on the same scale
 */
public record IntervalChart(String name, String xLabel, List<Mark> marks, List<Column> columns) implements Drawing {
    private static final int COLUMN = 470;
    private static final int ROW = 30;
    private static final int TOP = 74;
    private static final int BOTTOM = 62;
    private static final int MARGIN = 14;
    private static final int LEGEND = 26;
    private static final double DOT = 9;

    /** A value with a name. */
    public record Mark(double value, String label) {}

    /** One chart, its rows from the top. */
    public record Column(String title, List<Dot> dots) {}

    /**
     * A number.
     *
     * @param low lower end of its interval; NaN where there is none
     */
    public record Dot(String label, LineStyle style, double value, double low, double high) {}

    @Override
    public int width() {
        return columns.size() * COLUMN + 2 * MARGIN;
    }

    @Override
    public int height() {
        int rows =
                columns.stream().mapToInt(column -> column.dots().size()).max().orElse(1);
        return TOP + rows * ROW + BOTTOM;
    }

    /** The scale: all values and intervals, but an interval that reaches absurdly far must not flatten all others. */
    private double[] range() {
        double[] all = columns.stream()
                .flatMap(column -> column.dots().stream())
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
            draw(graphics, columns.get(i), MARGIN + (double) i * COLUMN);
        }
    }

    private void draw(Graphics2D graphics, Column column, double left) {
        FontMetrics metrics = Pictures.metrics(Fonts.sans(13));
        int names = columns.stream()
                .flatMap(each -> each.dots().stream())
                .mapToInt(dot -> metrics.stringWidth(dot.label()))
                .max()
                .orElse(0);
        Scale scale = new Scale(range(), left + names + LEGEND + 14, left + COLUMN - 22);
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
        double step = Ticks.roundStep((scale.range[1] - scale.range[0]) / 9);
        for (double tick = Math.ceil(scale.range[0] / step); tick * step <= scale.range[1]; tick++) {
            double x = scale.x(tick * step);
            graphics.setPaint(FigureChart.GRID);
            graphics.setStroke(new BasicStroke(1));
            graphics.draw(new Line2D.Double(x, TOP, x, bottom));
            graphics.setPaint(FigureChart.INK);
            centred(
                    graphics,
                    String.format(Locale.ROOT, step < 0.1 ? "%.2f" : "%.1f", tick * step + 0.0),
                    x,
                    bottom + 17);
        }
        for (Mark mark : marks) {
            double x = scale.x(mark.value());
            graphics.setPaint(FigureChart.INK);
            graphics.setStroke(new BasicStroke(1.2f));
            graphics.draw(new Line2D.Double(x, TOP - 6.0, x, bottom));
            centred(graphics, mark.label(), x, TOP - 12.0);
        }
        graphics.setFont(Fonts.sans(13));
        centred(graphics, xLabel, scale.middle(), bottom + 40);
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
        int width = Pictures.metrics(graphics.getFont()).stringWidth(text);
        graphics.drawString(text, (float) (x - width / 2.0), (float) y);
    }

    /** From numbers to places; what lies outside is at the edge. */
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
