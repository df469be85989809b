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
 * A line with a band around it. Where a value is missing the line is broken, not drawn across: every unbroken stretch is
 * a series of its own, in the same colour. A stretch of one point, which has no line, gets a dot and a whisker.
 */
final class Band {
    private static final double DOT = 7;

    private final YIntervalSeriesCollection dataset = new YIntervalSeriesCollection();
    private double lowest = Double.POSITIVE_INFINITY;
    private double highest = Double.NEGATIVE_INFINITY;

    private Band() {}

    /** The line through (x, mean) and the band mean ± spread; no band where the spread is missing. */
    static Band of(double[] x, double[] mean, double[] spread) {
        Band band = new Band();
        YIntervalSeries stretch = new YIntervalSeries(0);
        for (int i = 0; i < x.length; i++) {
            if (Double.isFinite(x[i]) && Double.isFinite(mean[i])) {
                double half = Double.isFinite(spread[i]) ? Math.abs(spread[i]) : 0;
                stretch.add(x[i], mean[i], mean[i] - half, mean[i] + half);
                band.lowest = Math.min(band.lowest, mean[i] - half);
                band.highest = Math.max(band.highest, mean[i] + half);
            } else {
                stretch = band.finish(stretch);
            }
        }
        band.finish(stretch);
        return band;
    }

    private YIntervalSeries finish(YIntervalSeries stretch) {
        if (stretch.isEmpty()) {
            return stretch;
        }
        dataset.addSeries(stretch);
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

    /** @param alpha how strong the band is; 0 draws none */
    DeviationRenderer renderer(Color colour, Stroke stroke, float alpha) {
        DeviationRenderer renderer = alpha > 0 ? new DeviationRenderer(true, false) : new BareLine();
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

    /** Without the band: not even one of no height, which a vector picture would carry along. */
    private static final class BareLine extends DeviationRenderer {
        private static final long serialVersionUID = 1L;

        private BareLine() {
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

    /** The band of a single point has no width to be seen by; a line up and down shows it. */
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

    /** The lower end of the band; above the {@link #highest} if there is nothing to draw. */
    double lowest() {
        return lowest;
    }

    double highest() {
        return highest;
    }
}
