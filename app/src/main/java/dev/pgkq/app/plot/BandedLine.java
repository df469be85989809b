package dev.pgkq.app.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Stroke;
import java.awt.geom.Ellipse2D;
import org.jfree.chart.annotations.XYLineAnnotation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.DeviationRenderer;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

/**
 * A line with a band around it. The line has a gap where a value is missing: every segment without gaps is a separate
 * series of the same colour. A segment of one point is drawn as a dot with a whisker.
 */
final class BandedLine {
    private static final double DOT = 7;

    private final YIntervalSeriesCollection dataset = new YIntervalSeriesCollection();
    private double lowest = Double.POSITIVE_INFINITY;
    private double highest = Double.NEGATIVE_INFINITY;

    private BandedLine() {}

    /** The line through (x, mean) with the band mean ± spread; no band where the spread is missing. */
    static BandedLine of(double[] x, double[] mean, double[] spread) {
        BandedLine band = new BandedLine();
        YIntervalSeries segment = new YIntervalSeries(0);
        for (int i = 0; i < x.length; i++) {
            if (Double.isFinite(x[i]) && Double.isFinite(mean[i])) {
                double half = Double.isFinite(spread[i]) ? Math.abs(spread[i]) : 0;
                segment.add(x[i], mean[i], mean[i] - half, mean[i] + half);
                band.lowest = Math.min(band.lowest, mean[i] - half);
                band.highest = Math.max(band.highest, mean[i] + half);
            } else {
                segment = band.finish(segment);
            }
        }
        band.finish(segment);
        return band;
    }

    private YIntervalSeries finish(YIntervalSeries segment) {
        if (segment.isEmpty()) {
            return segment;
        }
        dataset.addSeries(segment);
        return new YIntervalSeries(dataset.getSeriesCount());
    }

    boolean isEmpty() {
        return dataset.getSeriesCount() == 0;
    }

    YIntervalSeriesCollection dataset() {
        return dataset;
    }

    DeviationRenderer renderer(Color colour) {
        return renderer(colour, new BasicStroke(2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND), 0.22f);
    }

    /** @param alpha opacity of the band; 0 draws none */
    DeviationRenderer renderer(Color colour, Stroke stroke, float alpha) {
        DeviationRenderer renderer = alpha > 0 ? new DeviationRenderer(true, false) : new LineOnly();
        renderer.setAlpha(alpha);
        for (int i = 0; i < dataset.getSeriesCount(); i++) {
            renderer.setSeriesPaint(i, colour);
            renderer.setSeriesFillPaint(i, colour);
            renderer.setSeriesStroke(i, stroke);
            renderer.setSeriesShape(i, new Ellipse2D.Double(-DOT / 2, -DOT / 2, DOT, DOT));
            renderer.setSeriesShapesVisible(i, dataset.getItemCount(i) == 1);
        }
        return renderer;
    }

    /** Draws no band at all, not even one of zero height, which would add elements to an SVG. */
    private static final class LineOnly extends DeviationRenderer {
        private static final long serialVersionUID = 1L;

        private LineOnly() {
            super(true, false);
        }

        @Override
        public int getPassCount() {
            return 2;
        }

        @Override
        protected boolean isLinePass(int pass) {
            return pass == 0;
        }

        @Override
        protected boolean isItemPass(int pass) {
            return pass == 1;
        }
    }

    /** Draws the band of single points as a vertical line, because it has no width. */
    void addWhiskers(XYPlot plot, Color colour) {
        for (int i = 0; i < dataset.getSeriesCount(); i++) {
            if (dataset.getItemCount(i) == 1) {
                double x = dataset.getXValue(i, 0);
                plot.addAnnotation(new XYLineAnnotation(
                        x,
                        dataset.getStartYValue(i, 0),
                        x,
                        dataset.getEndYValue(i, 0),
                        new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND),
                        colour));
            }
        }
    }

    /** The lower end of the band; larger than {@link #highest} if the line is empty. */
    double lowest() {
        return lowest;
    }

    double highest() {
        return highest;
    }
}
