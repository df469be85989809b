package dev.pgkq.model;

import dev.pgkq.bayes.NormalEquations;
import dev.pgkq.parallel.Workers;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;

/** The numbers that were paid for, one an episode, and the features of the episodes. Nothing is forgotten. */
final class EpisodeScores {
    private final int features;
    private float[] rows = new float[0];
    private float[] values = new float[0];

    EpisodeScores(int features) {
        this.features = features;
    }

    int size() {
        return values.length;
    }

    void add(float[] moreRows, double[] moreValues) {
        int before = values.length;
        rows = Arrays.copyOf(rows, rows.length + moreRows.length);
        System.arraycopy(moreRows, 0, rows, before * features, moreRows.length);
        values = Arrays.copyOf(values, before + moreValues.length);
        for (int i = 0; i < moreValues.length; i++) {
            values[before + i] = (float) moreValues[i];
        }
    }

    /** The mean row. */
    double[] centre() {
        double[] centre = new double[features];
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < features; j++) {
                centre[j] += rows[i * features + j];
            }
        }
        for (int j = 0; j < features && values.length > 0; j++) {
            centre[j] /= values.length;
        }
        return centre;
    }

    private double mean() {
        double sum = 0;
        for (float value : values) {
            sum += value;
        }
        return values.length == 0 ? 0 : sum / values.length;
    }

    /** What the numbers have in common beside their features: mean y − mean fᵀ w. */
    double offset(double[] weights) {
        double offset = mean();
        double[] centre = centre();
        for (int j = 0; j < features; j++) {
            offset -= centre[j] * weights[j];
        }
        return offset;
    }

    /** The sums of a regression with an intercept: rows and values around their means, one observation fewer. */
    NormalEquations centred(Workers workers) {
        double[] centre = centre();
        double mean = mean();
        float[] around = new float[rows.length];
        double[] left = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            left[i] = values[i] - mean;
            for (int j = 0; j < features; j++) {
                around[i * features + j] = (float) (rows[i * features + j] - centre[j]);
            }
        }
        NormalEquations sums = NormalEquations.of(features, around, left, workers);
        return new NormalEquations(features, sums.products(), sums.moments(), sums.squares(), values.length - 1L);
    }

    void save(String name, Snapshot.Builder into) {
        into.tensor(name + "/features", rows, values.length, features);
        into.tensor(name + "/values", values, values.length);
    }

    void restore(String name, Snapshot saved) {
        values = saved.tensor(name + "/values").values();
        rows = saved.values(name + "/features", values.length, features);
    }
}
