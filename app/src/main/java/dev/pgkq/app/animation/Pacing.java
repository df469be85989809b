package dev.pgkq.app.animation;

import java.util.ArrayList;
import java.util.List;

/**
 * Which steps of an episode an animation shows, and for how long. It runs in real time. Programs that show GIFs slow down pictures
 * shorter than two hundredths of a second, so steps are left out instead.
 */
public final class Pacing {
    /** Seconds of a step if the task does not state them. */
    private static final double USUAL_SECONDS = 0.05;

    private static final double SHORTEST_SECONDS = 0.03;
    private static final int LAST_HUNDREDTHS = 100;

    private final double seconds;

    /** @param seconds of a step; 0 if unknown */
    public Pacing(double seconds) {
        this.seconds = seconds > 0 ? seconds : USUAL_SECONDS;
    }

    /** The places of the steps that are shown, the first and the last among them. */
    public List<Integer> shown(List<Integer> steps) {
        List<Integer> places = new ArrayList<>();
        int last = steps.size() - 1;
        for (int i = 0; i < last; i++) {
            boolean isFirst = places.isEmpty();
            if (isFirst || seconds * (steps.get(i) - steps.get(places.getLast())) >= SHORTEST_SECONDS - 1e-9) {
                places.add(i);
            }
        }
        places.add(last);
        return places;
    }

    /** How long each of some steps is shown, in hundredths of a second; the last one for a second. */
    int[] hundredths(List<Integer> steps) {
        int[] times = new int[steps.size()];
        for (int i = 0; i + 1 < times.length; i++) {
            // differences of rounded times: errors do not add up
            times[i] = (int) (Math.round(100 * seconds * steps.get(i + 1)) - Math.round(100 * seconds * steps.get(i)));
        }
        times[times.length - 1] = LAST_HUNDREDTHS;
        return times;
    }
}
