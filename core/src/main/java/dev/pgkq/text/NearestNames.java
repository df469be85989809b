package dev.pgkq.text;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Suggestions for a name that does not exist. */
public final class NearestNames {
    private static final int MOST = 3;
    private static final int LEAST_PREFIX = 3;

    private NearestNames() {}

    /**
     * Words a hint to append to an error message.
     *
     * @param typed the unknown name
     * @param known the names that exist
     * @return "; did you mean A or B?" if known names are close to it, otherwise "; there are A, B, C"; empty if no
     *     name is known
     */
    public static String hint(String typed, List<String> known) {
        String lower = typed.toLowerCase(Locale.ROOT);
        int tolerance = Math.max(2, typed.length() / 3);
        List<String> near = nearest(lower, known, name -> distance(lower, name) <= tolerance);
        if (near.isEmpty()) {
            near = nearest(lower, known, name -> isBegun(lower, name) || isBegun(name, lower));
        }
        if (!near.isEmpty()) {
            return "; did you mean " + String.join(" or ", near) + "?";
        }
        return known.isEmpty() ? "" : "; there are " + String.join(", ", known);
    }

    private static List<String> nearest(String lower, List<String> known, Predicate<String> isNear) {
        return known.stream()
                .filter(name -> isNear.test(name.toLowerCase(Locale.ROOT)))
                .sorted(Comparator.comparingInt((String name) -> distance(lower, name.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(MOST)
                .toList();
    }

    private static boolean isBegun(String start, String whole) {
        return start.length() >= LEAST_PREFIX && whole.startsWith(start);
    }

    /** The number of edits (insert, delete, replace) that turn one word into the other. */
    static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replace, 1 + Math.min(previous[j], current[j - 1]));
            }
            int[] swapped = previous;
            previous = current;
            current = swapped;
        }
        return previous[b.length()];
    }
}
