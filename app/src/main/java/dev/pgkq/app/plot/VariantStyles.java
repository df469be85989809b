package dev.pgkq.app.plot;

import dev.pgkq.train.Variant;
import java.awt.Color;
import java.util.List;

/**
 * The style of each variant, the same in every figure: the paper's colours for its algorithms, in shades based on Okabe and
 * Ito's that differ in lightness, purple for kq-plus, and greys with different dashes for the controls.
 */
public final class VariantStyles {
    private static final Color BLUE = new Color(0x0072B2);
    private static final Color ORANGE = new Color(0xE69F00);
    private static final Color GREEN = new Color(0x009E73);
    private static final Color RED = new Color(0xB2182B);
    private static final Color PURPLE = new Color(0x7B3FA0);
    private static final Color DARK_GREY = new Color(0x4A4A4A);
    private static final Color LIGHT_GREY = new Color(0x909090);

    /** Colours that no variant has. */
    private static final List<Color> OTHER_COLOURS = List.of(
            new Color(0xCC5F9E),
            new Color(0x7A4A12),
            new Color(0x4FA8DC),
            new Color(0x7D7D00),
            new Color(0x2B2B85),
            new Color(0x00505C),
            new Color(0xE0664A));

    private static final float[][] OTHER_DASHES = {{8, 2.5f}, {2.5f, 2.5f}, {8, 2.5f, 2.5f, 2.5f}, {18, 4}};

    private static final float MAIN = 2.4f;
    private static final float CONTROL = 1.6f;
    private static final float BAND = 0.16f;
    private static final float FAINT_BAND = 0.10f;

    private VariantStyles() {}

    public static LineStyle of(Variant variant) {
        return switch (variant) {
            case LARGE -> new LineStyle(RED, MAIN, BAND);
            case KQ_PLUS -> new LineStyle(PURPLE, MAIN, BAND, 13, 4);
            case KQ_BAYES -> new LineStyle(PURPLE, MAIN, BAND, 20, 2);
            case KQ -> new LineStyle(ORANGE, MAIN, BAND);
            case KQ_NO_MEAN -> new LineStyle(GREEN, MAIN, BAND, 10, 3, 2.5f, 3);
            case SMALL -> new LineStyle(BLUE, MAIN, BAND, 5, 3);
            case RANDOM_MEAN -> new LineStyle(DARK_GREY, CONTROL, FAINT_BAND, 7, 4);
            case RANDOM -> new LineStyle(DARK_GREY, CONTROL, FAINT_BAND, 1.8f, 2.6f);
            case RANDOM_BAYES -> new LineStyle(DARK_GREY, CONTROL, FAINT_BAND, 12, 2, 2, 2);
            case IMPUTE -> new LineStyle(LIGHT_GREY, CONTROL, FAINT_BAND, 3, 5);
            case MODEL_ONLY -> new LineStyle(LIGHT_GREY, CONTROL, FAINT_BAND, 9, 3, 1.8f, 3, 1.8f, 3);
        };
    }

    /**
     * Styles for further groups of any variant, such as runs with other settings. No two of the first 28 are the same, and
     * neighbours differ in both colour and dashes.
     */
    public static LineStyle other(int number) {
        return new LineStyle(
                OTHER_COLOURS.get(number % OTHER_COLOURS.size()),
                MAIN,
                BAND,
                OTHER_DASHES[number % OTHER_DASHES.length].clone());
    }
}
