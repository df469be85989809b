package dev.pgkq.app.plot;

import dev.pgkq.rewards.files.WholeFile;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jfree.chart.ChartUtils;

/** Drawings as files. */
public final class Pictures {
    /** Pixels per point of a PNG: sharp in print and on dense screens. */
    private static final int SCALE = 2;

    private Pictures() {}

    /** Writes {@code NAME.png} and {@code NAME.svg}; returns the SVG. */
    public static String write(Path folder, Drawing drawing) {
        BufferedImage image = image(drawing);
        WholeFile.replace(
                folder.resolve(drawing.name() + ".png"),
                channel -> ChartUtils.writeBufferedImageAsPNG(Channels.newOutputStream(channel), image));
        String svg = Svg.of(drawing);
        WholeFile.replace(folder.resolve(drawing.name() + ".svg"), svg.getBytes(StandardCharsets.UTF_8));
        return svg;
    }

    static BufferedImage image(Drawing drawing) {
        BufferedImage image =
                new BufferedImage(SCALE * drawing.width(), SCALE * drawing.height(), BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        try {
            graphics.scale(SCALE, SCALE);
            drawing.draw(graphics);
        } finally {
            graphics.dispose();
        }
        return image;
    }

    /** How wide text is, before there is something to draw on. */
    static FontMetrics metrics(Font font) {
        Graphics2D graphics = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
        try {
            return graphics.getFontMetrics(font);
        } finally {
            graphics.dispose();
        }
    }
}
