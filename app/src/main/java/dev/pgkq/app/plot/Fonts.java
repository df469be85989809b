package dev.pgkq.app.plot;

import dev.pgkq.text.UserException;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.awt.image.BufferedImage;

/**
 * The font of the figures. Java draws text with the system's fonts, and containers often have none: any use of text then
 * fails inside the JDK, with one of several errors.
 */
final class Fonts {
    private Fonts() {}

    /**
     * A sans-serif font that has been tested.
     *
     * @throws UserException if this machine cannot draw text
     */
    static Font sans(int size) {
        try {
            Font font = new Font(Font.SANS_SERIF, Font.PLAIN, size);
            FontRenderContext context = new FontRenderContext(null, true, true);
            if (font.getStringBounds("return", context).getWidth() > 0) {
                return font;
            }
        } catch (RuntimeException | InternalError | LinkageError e) {
            throw missing(e);
        }
        throw missing(new IllegalStateException("text has no width"));
    }

    /** Measures text without a drawing. */
    static FontMetrics metrics(Font font) {
        Graphics2D graphics = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
        try {
            return graphics.getFontMetrics(font);
        } finally {
            graphics.dispose();
        }
    }

    private static UserException missing(Throwable cause) {
        return new UserException(
                "cannot draw figures: Java found no fonts on this machine. Install fontconfig and a font, for example "
                        + "with the packages fontconfig and fonts-dejavu-core (apt install fontconfig fonts-dejavu-core)",
                cause);
    }
}
