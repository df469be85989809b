package dev.pgkq.model;

import dev.pgkq.nn.RegressionTargets;
import dev.pgkq.nn.SumTargets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Paid rewards of some episodes, from which the reward model learns.
 *
 * @param starts where each episode's steps start, and where the last one ends
 * @param steps z, r and the weight of every step
 */
record KnownRewards(int[] starts, RegressionTargets steps) {
    int episodes() {
        return starts.length - 1;
    }

    /** Σ_u γ^u m(z_u) against Σ_u γ^u r_u of every episode, with the weight of its last step. */
    SumTargets sums(double discount) {
        float[] coefficients = new float[steps.size()];
        float[] values = new float[episodes()];
        float[] weights = new float[episodes()];
        for (int e = 0; e < episodes(); e++) {
            double g = 1;
            double sum = 0;
            for (int i = starts[e]; i < starts[e + 1]; i++) {
                coefficients[i] = (float) g;
                sum += g * steps.values()[i];
                weights[e] = steps.weights()[i];
                g *= discount;
            }
            values[e] = (float) sum;
        }
        return new SumTargets(starts, steps.inputs(), coefficients, values, weights);
    }

    /** Concatenates rewards. */
    static KnownRewards joined(List<KnownRewards> parts) {
        int[] starts =
                new int[1 + parts.stream().mapToInt(KnownRewards::episodes).sum()];
        int at = 0;
        for (KnownRewards part : parts) {
            for (int e = 0; e < part.episodes(); e++) {
                starts[at + 1] = starts[at] + part.starts[e + 1] - part.starts[e];
                at++;
            }
        }
        List<RegressionTargets> steps = parts.stream().map(KnownRewards::steps).toList();
        return new KnownRewards(
                starts,
                new RegressionTargets(
                        starts[at],
                        concatenated(
                                steps.stream().map(RegressionTargets::inputs).toList()),
                        concatenated(
                                steps.stream().map(RegressionTargets::values).toList()),
                        concatenated(
                                steps.stream().map(RegressionTargets::weights).toList())));
    }

    private static float[] concatenated(List<float[]> parts) {
        float[] all = new float[parts.stream().mapToInt(part -> part.length).sum()];
        int at = 0;
        for (float[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    /** Undoes {@link #joined}: cuts these rewards into parts with the given numbers of episodes. */
    List<KnownRewards> cut(int[] counts) {
        int width = steps.size() == 0 ? 0 : steps.inputs().length / steps.size();
        List<KnownRewards> parts = new ArrayList<>();
        int first = 0;
        for (int count : counts) {
            int from = starts[first];
            int to = starts[first + count];
            int[] own = Arrays.copyOfRange(starts, first, first + count + 1);
            for (int e = 0; e < own.length; e++) {
                own[e] -= from;
            }
            parts.add(new KnownRewards(
                    own,
                    new RegressionTargets(
                            to - from,
                            Arrays.copyOfRange(steps.inputs(), from * width, to * width),
                            Arrays.copyOfRange(steps.values(), from, to),
                            Arrays.copyOfRange(steps.weights(), from, to))));
            first += count;
        }
        return parts;
    }
}
