package dev.pgkq.app.terminal;

import dev.pgkq.text.Durations;
import dev.pgkq.text.Numbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The text of a progress line. If there is not enough room, the least important parts are dropped. */
final class ProgressLine {
    private static final int LONGEST_BAR = 30;
    private static final int SHORTEST_BAR = 8;

    /** A part of the line; the parts of the highest rank are dropped first. */
    private record Part(int rank, String text) {}

    private ProgressLine() {}

    /** A bar and as many of the numbers as fit, in at most {@code width} columns. */
    static String fitted(IterationView view, Optional<Duration> remaining, int width, boolean unicode) {
        List<Part> parts = parts(view, remaining, unicode ? "±" : "+-");
        while (parts.size() > 1 && length(parts) + 1 + SHORTEST_BAR + 2 > width) {
            parts.remove(parts.stream().max(Comparator.comparingInt(Part::rank)).orElseThrow());
        }
        String text = join(parts);
        int room = Math.min(LONGEST_BAR, width - text.length() - 3);
        String line = room >= SHORTEST_BAR ? bar(view, room, unicode) + " " + text : text;
        return line.length() <= width ? line : line.substring(0, Math.max(0, width));
    }

    /** All parts, for a log. */
    static String plain(IterationView view, Optional<Duration> remaining, boolean unicode) {
        return "iteration " + join(parts(view, remaining, unicode ? "±" : "+-"));
    }

    private static List<Part> parts(IterationView view, Optional<Duration> remaining, String plusMinus) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Part(0, view.iteration() + "/" + view.total()));
        String error = Double.isNaN(view.returnSe()) ? "" : " " + plusMinus + " " + Numbers.brief(view.returnSe());
        boolean isPaid = !Double.isNaN(view.paidReturn());
        if (isPaid) {
            parts.add(new Part(1, "paid return " + Numbers.brief(view.paidReturn())));
        }
        if (!Double.isNaN(view.returnMean())) {
            parts.add(new Part(
                    isPaid ? 3 : 1, (isPaid ? "task return " : "return ") + Numbers.brief(view.returnMean()) + error));
        }
        parts.add(new Part(4, "length " + Numbers.count(view.lengthMean())));
        parts.add(new Part(5, "rewards " + Numbers.count((double) view.rewardEvaluations())));
        parts.add(new Part(6, Numbers.count(view.stepsPerSecond()) + " steps/s"));
        if (view.diverged() > 0) {
            parts.add(new Part(2, view.diverged() + " diverged"));
        }
        if (view.iteration() < view.end()) {
            String of = (view.end() < view.total() ? " to the budget" : "")
                    + (view.ratings().isPresent() ? ", without ratings" : "");
            remaining.ifPresent(left -> parts.add(new Part(2, "ETA " + Durations.format(left) + of)));
        }
        return parts;
    }

    private static String join(List<Part> parts) {
        return parts.stream().map(Part::text).collect(Collectors.joining("  "));
    }

    private static int length(List<Part> parts) {
        return join(parts).length();
    }

    private static String bar(IterationView view, int room, boolean unicode) {
        double share = view.total() <= 0 ? 1 : Math.clamp((double) view.iteration() / view.total(), 0, 1);
        int full = (int) (share * room);
        return "[" + (unicode ? "█" : "#").repeat(full) + (unicode ? "░" : ".").repeat(room - full) + "]";
    }
}
