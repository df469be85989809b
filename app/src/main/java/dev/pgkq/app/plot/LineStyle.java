package dev.pgkq.app.plot;

import java.awt.BasicStroke;
import java.awt.Color;

/**
 * How a line looks. Lines that meet in a figure differ in more than their hue: in lightness and in their dashes, so that
 * people see them apart whatever their colour vision, and on paper without colours.
 *
 * @param dashes lengths of dash and gap in turn; empty for an unbroken line
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LineStyle(Color colour, float width, float bandAlpha, float... dashes) {
    BasicStroke stroke() {
        return dashes.length == 0
                ? new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
                : new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dashes, 0);
    }

    /** A style of the same hue that can be told from this one: for the second, third … group of a variant. */
    LineStyle again(int number) {
        if (number == 0) {
            return this;
        }
        float[] other = dashes.length == 0 ? new float[] {10, 3} : dashes.clone();
        for (int i = 0; i < other.length; i++) {
            other[i] *= i % 2 == 0 ? 1 + 0.8f * number : 1;
        }
        Color shade = number % 2 == 1 ? colour.darker() : colour.brighter();
        return new LineStyle(shade, width, bandAlpha, other);
    }
}
