package dev.pgkq.app.plot;

import dev.pgkq.rewards.files.WholeFile;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jfree.chart.ChartUtils;

/** Writes drawings as PNG and SVG files. */
public final class DrawingFiles {
    /** Pixels per point of a PNG, for print and high-resolution screens. */
    private static final int SCALE = 2;

    private DrawingFiles() {}

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
}
