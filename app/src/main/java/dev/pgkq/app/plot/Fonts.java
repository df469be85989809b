package dev.pgkq.app.plot;

import dev.pgkq.text.UserException;
import java.awt.Font;
import java.awt.font.FontRenderContext;

/**
 * The one font of the figures. Java draws text with the system's fonts, and a container often has none: then any use of
 * text fails deep inside the JDK, with one of several errors.
 */
final class Fonts {
    private Fonts() {}

    /**
     * A sans-serif font that was seen to work.
     *
     * @throws UserException if no text can be drawn on this machine
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

    private static UserException missing(Throwable cause) {
        return new UserException(
                "cannot draw a figure: Java finds no fonts on this machine. Install fontconfig and a font, for example "
                        + "with the packages fontconfig and fonts-dejavu-core (apt install fontconfig fonts-dejavu-core)",
                cause);
    }
}
