package dev.pgkq.text;

import java.time.Duration;
import java.util.Locale;

/** Durations for people, in at most two units. */
public final class Durations {
    private Durations() {}

    /**
     * Formats a duration, rounded to the smaller of its units.
     *
     * @param duration to format; negative ones count as zero
     * @return for example "0.4s", "12s", "3m 05s", "1h 02m" or "2d 03h"
     */
    public static String format(Duration duration) {
        double exact = duration.toNanos() / 1e9;
        if (exact < 9.95) {
            return String.format(Locale.ROOT, "%.1fs", Math.max(0, exact));
        }
        long seconds = Math.round(exact);
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return pair(seconds / 60, "m", seconds % 60, "s");
        }
        // Round first and split then: 1h 59m 59s must not print as 1h 60m.
        long minutes = (seconds + 30) / 60;
        if (minutes < 24 * 60) {
            return pair(minutes / 60, "h", minutes % 60, "m");
        }
        long hours = (minutes + 30) / 60;
        return pair(hours / 24, "d", hours % 24, "h");
    }

    private static String pair(long large, String largeUnit, long small, String smallUnit) {
        return String.format(Locale.ROOT, "%d%s %02d%s", large, largeUnit, small, smallUnit);
    }
}
