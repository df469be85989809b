package dev.pgkq.app.plot;

import dev.pgkq.app.run.Metrics;
import dev.pgkq.rewards.files.WholeFile;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.image.BufferedImage;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Arrays;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.RectangleInsets;

/**
 * {@code curve.png}: the mean return of every iteration with a band of one standard error to either side, and below it the
 * mean episode length. With external rewards, the return is that of the rewards paid for, and a smaller panel shows the task's
 * own, if it has one. Where iterations pay for different numbers of episodes, the horizontal axis is the number of rewards paid for,
 * and a panel at the bottom shows the iterations. Otherwise it is the iterations, which differ from it by a factor only.
 */
public final class LearningCurve {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 600;
    /** What the panel of the task's own return adds. */
    private static final int MORE_HEIGHT = 140;

    /** The blue of the Okabe-Ito palette, which is safe for colour-blind readers. */
    private static final Color BLUE = new Color(0x0072B2);

    /** For what is shown beside the return. */
    private static final Color GREY = new Color(0x6E6E6E);

    private static final Color INK = new Color(0x333333);
    private static final Color GRID = new Color(0xE3E3E3);

    private LearningCurve() {}

    /**
     * Draws metrics, which must have the columns iteration, return_mean and return_se, and replaces {@code png}.
     *
     * @param isExternal whether rewards are external, with their mean in paid_return
     */
    public static void write(Path png, Metrics metrics, String title, boolean isExternal) {
        BufferedImage image = draw(metrics, title, isExternal);
        WholeFile.replace(png, channel -> {
            OutputStream stream = Channels.newOutputStream(channel);
            ChartUtils.writeBufferedImageAsPNG(stream, image);
        });
    }

    static BufferedImage draw(Metrics metrics, String title, boolean isExternal) {
        Font font = Fonts.sans(15);
        double[] iterations = metrics.column("iteration");
        boolean byPaid = metrics.has("reward_evaluations") && metrics.has("paid") && varies(metrics.column("paid"));
        double[] positions = byPaid ? spread(metrics.column("reward_evaluations")) : iterations;
        double[] means = metrics.column("return_mean");
        BandedLine returns = BandedLine.of(positions, means, metrics.column("return_se"));

        NumberAxis across =
                new NumberAxis(byPaid ? "rewards paid for (iterations that pay for none in between)" : "iteration");
        style(across, font);
        AxisTicks.integers(across, positions);

        boolean hasBoth = isExternal && Arrays.stream(means).anyMatch(value -> value < 0 || value > 0);
        CombinedDomainXYPlot panels = new CombinedDomainXYPlot(across);
        panels.setGap(22);
        if (isExternal) {
            double[] paid = metrics.column("paid_return");
            BandedLine line = BandedLine.of(positions, paid, new double[paid.length]);
            panels.add(panel(line, "return (paid rewards)", font, 8), 3);
            if (hasBoth) {
                panels.add(panel(returns, "task's own return", font, 5, GREY), 2);
            }
        } else {
            panels.add(panel(returns, "return (mean ± s.e.)", font, 8), 3);
        }
        if (metrics.has("length_mean")) {
            double[] lengths = metrics.column("length_mean");
            panels.add(
                    panel(BandedLine.of(positions, lengths, new double[lengths.length]), "episode length", font, 4), 1);
        }

        if (byPaid) {
            BandedLine line = BandedLine.of(positions, iterations, new double[iterations.length]);
            XYPlot panel = panel(line, "iteration", font, 4);
            AxisTicks.counts((NumberAxis) panel.getRangeAxis(), iterations, 4);
            panels.add(panel, 1);
        }

        JFreeChart chart = new JFreeChart(null, font, panels, false);
        TextTitle heading = new TextTitle(title, font.deriveFont(18f));
        heading.setPaint(INK);
        heading.setMargin(4, 0, 8, 0);
        chart.setTitle(heading);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(8, 8, 8, 20));
        chart.setAntiAlias(true);
        chart.setTextAntiAlias(true);
        return chart.createBufferedImage(WIDTH, HEIGHT + (hasBoth ? MORE_HEIGHT : 0));
    }

    /**
     * Spreads iterations with the same number of paid rewards between that number and the next, as the dashboard does: 3, 3, 3, 4
     * becomes 3, 3⅓, 3⅔, 4. Such iterations pay for nothing, but they learn from what was paid for.
     */
    static double[] spread(double[] counts) {
        double[] positions = new double[counts.length];
        for (int from = 0; from < counts.length; ) {
            int to = from + 1;
            while (to < counts.length && counts[to] == counts[from]) {
                to++;
            }
            for (int i = from; i < to; i++) {
                positions[i] = counts[from] + (double) (i - from) / (to - from);
            }
            from = to;
        }
        return positions;
    }

    private static boolean varies(double[] values) {
        return Arrays.stream(values).distinct().count() > 1;
    }

    private static XYPlot panel(BandedLine band, String label, Font font, int ticks) {
        return panel(band, label, font, ticks, BLUE);
    }

    private static XYPlot panel(BandedLine band, String label, Font font, int ticks, Color colour) {
        NumberAxis values = new NumberAxis(label);
        style(values, font);
        AxisTicks.reals(values, band.lowest(), band.highest(), ticks);
        XYPlot plot = new XYPlot(band.dataset(), null, values, band.renderer(colour));
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        plot.setDomainGridlinesVisible(false);
        plot.setRangeGridlinePaint(GRID);
        plot.setRangeGridlineStroke(new BasicStroke(1f));
        band.addWhiskers(plot, colour);
        if (band.isEmpty()) {
            plot.setNoDataMessage("no values yet");
            plot.setNoDataMessageFont(font);
            plot.setNoDataMessagePaint(INK);
        }
        return plot;
    }

    private static void style(NumberAxis axis, Font font) {
        axis.setLabelFont(font);
        axis.setTickLabelFont(font.deriveFont(13f));
        axis.setLabelPaint(INK);
        axis.setTickLabelPaint(INK);
        axis.setAxisLinePaint(INK);
        axis.setTickMarkPaint(INK);
    }
}
