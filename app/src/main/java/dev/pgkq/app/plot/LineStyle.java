package dev.pgkq.app.plot;

import java.awt.BasicStroke;
import java.awt.Color;

/**
 * The style of a line. Lines in a figure differ not only in hue but also in lightness and dashes, for colour-blind readers
 * and for print without colour.
 *
 * @param dashes alternating lengths of dashes and gaps; empty for a solid line
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LineStyle(Color colour, float width, float bandAlpha, float... dashes) {
    /** Patterns that can be distinguished in the short line of a legend. */
    private static final float[][] OTHER_DASHES = {{2.5f, 2.5f}, {8, 2.5f}, {8, 2.5f, 2.5f, 2.5f}, {18, 4}};

    BasicStroke stroke() {
        return dashes.length == 0
                ? new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
                : new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dashes, 0);
    }

    /** A distinguishable style of the same hue, for the second, third … group of a variant. */
    LineStyle variation(int number) {
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
