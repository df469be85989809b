package dev.pgkq.select;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Episodes chosen one after the other: each time the one that reduces the expected error most, for as long as a pace wants another.
 *
 * @param indices the chosen episodes, in their order
 * @param uncertainties expected error with 0, 1, 2 … of them, in the units of the uncertainty
 * @param next the same with one more; NaN if nothing is left
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record GreedyChoice(int[] indices, double[] uncertainties, double next) {
    /**
     * Chooses episodes.
     *
     * @param uncertainty of what the choice is for; knows the choice afterwards
     * @param iteration 1, 2, …
     * @param unit one unit of the uncertainty, as the pace counts; NaN if it is not known
     * @param kept episodes that are chosen in any case, and first
     */
    static GreedyChoice of(GradientUncertainty uncertainty, Pace pace, int iteration, double unit, int... kept) {
        List<Integer> chosen = new ArrayList<>();
        List<Double> uncertainties = new ArrayList<>();
        uncertainties.add(uncertainty.now());
        for (int episode : kept) {
            choose(uncertainty, episode, chosen, uncertainties);
        }
        int best = uncertainty.best();
        double next = best < 0 ? Double.NaN : uncertainty.with(best);
        while (best >= 0
                && pace.another(chosen.size(), iteration, unit * uncertainty.now(), gain(uncertainty.now(), next))) {
            choose(uncertainty, best, chosen, uncertainties);
            best = uncertainty.best();
            next = best < 0 ? Double.NaN : uncertainty.with(best);
        }
        return new GreedyChoice(
                chosen.stream().mapToInt(Integer::intValue).toArray(),
                uncertainties.stream().mapToDouble(Double::doubleValue).toArray(),
                next);
    }

    private static void choose(
            GradientUncertainty uncertainty, int episode, List<Integer> chosen, List<Double> uncertainties) {
        uncertainty.choose(episode);
        chosen.add(episode);
        uncertainties.add(uncertainty.now());
    }

    /** The share of an error that the next episode would remove. */
    private static double gain(double now, double next) {
        return now > 0 ? 1 - next / now : 0;
    }

    /** Returns the expected errors in other units. */
    double[] errors(double unit) {
        return Arrays.stream(uncertainties).map(error -> unit * error).toArray();
    }
}
