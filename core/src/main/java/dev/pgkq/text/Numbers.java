package dev.pgkq.text;

import java.util.Locale;

/** Numbers for people: few digits, never wide. */
public final class Numbers {
    private static final String[] UNITS = {"", "k", "M", "G", "T"};

    private Numbers() {}

    /**
     * Formats a number with about four digits.
     *
     * @param value to format
     * @return for example "1235", "12.35", "-0.123" or "1.2e+09"; "n/a" for NaN
     */
    public static String brief(double value) {
        if (Double.isNaN(value)) {
            return "n/a";
        }
        double size = Math.abs(value);
        if (Double.isInfinite(value) || size == 0) {
            return size == 0 ? "0" : value > 0 ? "inf" : "-inf";
        }
        String pattern = size >= 1e7 || size < 1e-3 ? "%.1e" : size >= 1000 ? "%.0f" : size >= 100 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, size < 1 && size >= 1e-3 ? "%.3f" : pattern, value);
    }

    /**
     * Formats a count.
     *
     * @param value to format
     * @return for example "9999", "12.3k" or "4.6M"; "n/a" if it is not finite
     */
    public static String count(double value) {
        if (!Double.isFinite(value)) {
            return "n/a";
        }
        double left = value;
        int unit = 0;
        if (Math.abs(left) >= 9999.5) {
            while (Math.abs(left) >= 999.95 && unit < UNITS.length - 1) {
                left /= 1000;
                unit++;
            }
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f" : "%.1f", left) + UNITS[unit];
    }
}
