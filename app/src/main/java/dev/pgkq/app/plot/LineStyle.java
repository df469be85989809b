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
    BasicStroke stroke() {
        return dashes.length == 0
                ? new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
                : new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dashes, 0);
    }
}
