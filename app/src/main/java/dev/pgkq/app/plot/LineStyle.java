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
    /** Each is told from the others by the short piece that a legend shows. */
    private static final float[][] OTHER_DASHES = {{2.5f, 2.5f}, {8, 2.5f}, {8, 2.5f, 2.5f, 2.5f}, {18, 4}};

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
        Color shade = number % 2 == 1 ? mixed(Color.BLACK, 0.35) : mixed(Color.WHITE, 0.4);
        return new LineStyle(shade, width, bandAlpha, OTHER_DASHES[(number - 1) % OTHER_DASHES.length]);
    }

    private Color mixed(Color with, double share) {
        return new Color(
                (int) Math.round((1 - share) * colour.getRed() + share * with.getRed()),
                (int) Math.round((1 - share) * colour.getGreen() + share * with.getGreen()),
                (int) Math.round((1 - share) * colour.getBlue() + share * with.getBlue()));
    }
}
