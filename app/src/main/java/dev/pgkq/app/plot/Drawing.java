package dev.pgkq.app.plot;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;

/** An image that can be drawn at any resolution. */
public interface Drawing {
    /** File name without extension. */
    String name();

    int width();

    int height();

    void draw(Graphics2D graphics);

    /** A single figure with its legend. */
    static Drawing of(Figure figure) {
        return new Drawing() {
            @Override
            public String name() {
                return figure.name();
            }

            @Override
            public int width() {
                return 780;
            }

            @Override
            public int height() {
                return FigureChart.isWide(figure) ? 400 + 22 * figure.lines().size() : 450;
            }

            @Override
            public void draw(Graphics2D graphics) {
                FigureChart.of(figure).draw(graphics, new Rectangle2D.Double(0, 0, width(), height()));
            }
        };
    }
}
