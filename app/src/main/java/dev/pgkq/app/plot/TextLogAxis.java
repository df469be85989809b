package dev.pgkq.app.plot;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/**
 * A logarithmic axis at the bottom of a figure, with ticks at powers of ten and small ones between. Its numbers are text:
 * JFreeChart's own are styled strings, of which an SVG keeps outlines only.
 */
final class TextLogAxis extends LogAxis {
    private static final long serialVersionUID = 1L;
    private static final double FEW_DECADES = 2.3;

    private final NumberFormat format;

    TextLogAxis(String label, NumberFormat format) {
        super(label);
        this.format = format;
    }

    @Override
    @SuppressWarnings("rawtypes") // as JFreeChart declares it
    public List refreshTicks(Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
        List<NumberTick> ticks = new ArrayList<>();
        boolean few = Math.log10(getUpperBound() / getLowerBound()) < FEW_DECADES;
        int last = (int) Math.floor(Math.log10(getUpperBound()));
        for (int decade = (int) Math.floor(Math.log10(getLowerBound())); decade <= last; decade++) {
            for (int digit = 1; digit <= 9; digit++) {
                double value = digit * Math.pow(10, decade);
                if (getRange().contains(value)) {
                    ticks.add(tick(value, digit == 1, digit == 1 || few && (digit == 2 || digit == 5)));
                }
            }
        }
        return ticks;
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
