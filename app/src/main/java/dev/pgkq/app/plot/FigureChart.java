package dev.pgkq.app.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.geom.Line2D;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.ColumnArrangement;
import org.jfree.chart.block.FlowArrangement;
import org.jfree.chart.block.LineBorder;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.SeriesRenderingOrder;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.VerticalAlignment;

/** Draws a {@link Figure} as a chart: lines with bands, one dataset per line, in the order of the figure. */
final class FigureChart {
    static final Color INK = new Color(0x333333);
    static final Color GRID = new Color(0xE3E3E3);
    private static final int LEGEND_LINE = 40;
    private static final int MAX_LABEL_WIDTH = 190;

    private FigureChart() {}

    /** The chart with a legend. */
    static JFreeChart of(Figure figure) {
        JFreeChart chart = withoutLegend(figure, 16, 19);
        LegendTitle legend = legend(figure, Fonts.sans(15));
        if (isWide(figure)) {
            legend.setPosition(RectangleEdge.BOTTOM);
            legend.setMargin(6, 50, 0, 4);
        } else {
            legend.setPosition(RectangleEdge.RIGHT);
            legend.setVerticalAlignment(VerticalAlignment.TOP);
            legend.setMargin(34, 12, 0, 4);
        }
        chart.addLegend(legend);
        return chart;
    }

    /** Whether the legend is too wide to be beside the chart. */
    static boolean isWide(Figure figure) {
        FontMetrics metrics = Fonts.metrics(Fonts.sans(15));
        return figure.lines().stream().anyMatch(line -> metrics.stringWidth(figure.legend(line)) > MAX_LABEL_WIDTH);
    }

    /** The chart without a legend, for a panel. */
    static JFreeChart withoutLegend(Figure figure, int labelSize, int titleSize) {
        Font font = Fonts.sans(labelSize);
        XYPlot plot = plot(figure, font);
        JFreeChart chart = new JFreeChart(null, font, plot, false);
        TextTitle title = new TextTitle(figure.title(), font.deriveFont((float) titleSize));
        title.setPaint(INK);
        title.setMargin(2, 0, 8, 0);
        chart.setTitle(title);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(8, 8, 8, 26));
        chart.setAntiAlias(true);
        chart.setTextAntiAlias(true);
        return chart;
    }

    private static XYPlot plot(Figure figure, Font font) {
        XYPlot plot = new XYPlot();
        // ratios need an axis that starts at zero
        double lowest = figure.reference().isPresent() ? 0 : Double.POSITIVE_INFINITY;
        double highest = figure.reference().orElse(Double.NEGATIVE_INFINITY);
        for (int i = 0; i < figure.lines().size(); i++) {
            Figure.Line line = figure.lines().get(i);
            LineStyle style = line.style();
            BandedLine band = BandedLine.of(line.x(), line.mean(), line.error());
            plot.setDataset(i, band.dataset());
            boolean hasBand = Arrays.stream(line.error()).anyMatch(Double::isFinite);
            plot.setRenderer(i, band.renderer(style.colour(), style.stroke(), hasBand ? style.bandAlpha() : 0));
            lowest = Math.min(lowest, band.lowest());
            highest = Math.max(highest, band.highest());
        }
        NumberAxis values = new NumberAxis(figure.yLabel());
        AxisTicks.reals(values, lowest, highest, 7);
        style(values, font);
        plot.setRangeAxis(values);
        ValueAxis domain = domain(figure);
        style(domain, font);
        plot.setDomainAxis(domain);
        // the first lines matter most, so they are drawn last
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.REVERSE);
        plot.setSeriesRenderingOrder(SeriesRenderingOrder.FORWARD);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        plot.setDomainGridlinesVisible(false);
        plot.setRangeGridlinePaint(GRID);
        plot.setRangeGridlineStroke(new BasicStroke(1f));
        figure.reference().ifPresent(value -> plot.addRangeMarker(new ValueMarker(value, INK, new BasicStroke(1.2f))));
        return plot;
    }

    private static ValueAxis domain(Figure figure) {
        double[] x = figure.lines().stream()
                .flatMapToDouble(line -> DoubleStream.of(line.x()))
                .toArray();
        if (!figure.isLogarithmic()) {
            NumberAxis axis = new NumberAxis(figure.xLabel());
            AxisTicks.compactIntegers(axis, x);
            return axis;
        }
        return AxisTicks.logarithmic(figure.xLabel() + ", logarithmic", x);
    }

    private static void style(ValueAxis axis, Font font) {
        axis.setLabelFont(font);
        axis.setTickLabelFont(font.deriveFont(font.getSize2D() - 2));
        axis.setLabelPaint(INK);
        axis.setTickLabelPaint(INK);
        axis.setAxisLinePaint(INK);
        axis.setTickMarkPaint(INK);
    }

    static LegendTitle legend(Figure figure, Font font) {
        LegendItemCollection items = new LegendItemCollection();
        figure.lines().forEach(line -> items.add(item(figure.legend(line), line.style())));
        LegendTitle legend = new LegendTitle(
                () -> items,
                new FlowArrangement(HorizontalAlignment.LEFT, VerticalAlignment.TOP, 14, 3),
                new ColumnArrangement(HorizontalAlignment.LEFT, VerticalAlignment.TOP, 0, 3));
        legend.setItemFont(font);
        legend.setItemPaint(INK);
        legend.setFrame(new LineBorder(Color.WHITE, new BasicStroke(0), RectangleInsets.ZERO_INSETS));
        legend.setBackgroundPaint(Color.WHITE);
        legend.setLegendItemGraphicPadding(new RectangleInsets(2, 2, 2, 8));
        return legend;
    }

    private static LegendItem item(String label, LineStyle style) {
        return new LegendItem(
                label,
                null,
                null,
                null,
                new Line2D.Double(-LEGEND_LINE / 2.0, 0, LEGEND_LINE / 2.0, 0),
                style.stroke(),
                style.colour());
    }
}
