package dev.pgkq.app.plot;

import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/**
 * A logarithmic horizontal axis with ticks at powers of ten and small ticks between. Multiples by two and five have labels
 * too if there is space. All labels are plain text: JFreeChart's own are styled strings, which become outlines in an SVG.
 */
final class TextLogAxis extends LogAxis {
    private static final long serialVersionUID = 1L;
    private static final double GAP = 9;

    private final NumberFormat format;

    TextLogAxis(String label, NumberFormat format) {
        super(label);
        this.format = format;
    }

    @Override
    @SuppressWarnings("rawtypes") // as JFreeChart declares it
    public List refreshTicks(Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
        List<NumberTick> ticks = new ArrayList<>();
        double decades = Math.log10(getUpperBound() / getLowerBound());
        boolean hasSpace = widestLabel() + GAP < area.getWidth() * Math.log10(2) / decades;
        for (int decade = decade(getLowerBound()); decade <= decade(getUpperBound()); decade++) {
            for (int digit = 1; digit <= 9; digit++) {
                double value = digit * Math.pow(10, decade);
                if (getRange().contains(value)) {
                    ticks.add(tick(value, digit == 1, digit == 1 || hasSpace && (digit == 2 || digit == 5)));
                }
            }
        }
        return ticks;
    }

    private static int decade(double value) {
        return (int) Math.floor(Math.log10(value));
    }

    private int widestLabel() {
        FontMetrics metrics = Fonts.metrics(getTickLabelFont());
        return IntStream.rangeClosed(decade(getLowerBound()), decade(getUpperBound()))
                .map(decade -> metrics.stringWidth(format.format(5 * Math.pow(10, decade))))
                .max()
                .orElse(0);
    }

    private NumberTick tick(double value, boolean major, boolean labelled) {
        return new NumberTick(
                major ? TickType.MAJOR : TickType.MINOR,
                value,
                labelled ? format.format(value) : "",
                TextAnchor.TOP_CENTER,
                TextAnchor.CENTER,
                0);
    }
}
