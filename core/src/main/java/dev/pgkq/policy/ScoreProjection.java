package dev.pgkq.policy;

import static dev.pgkq.linalg.Blas.Transpose.NO;

import dev.pgkq.linalg.Blas;
import dev.pgkq.nn.ChunkedGradient;
import dev.pgkq.nn.Chunks;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;

/**
 * The scores ∇ log π(a|s) of many steps, mapped at random to a few dimensions in which inner products stay what they were
 * on average: E⟨Ps, Ps'⟩ = ⟨s, s'⟩, with a standard deviation of order ‖s‖ ‖s'‖ / √d.
 *
 * <p>A dense d × |θ| matrix would cost |θ| d operations a step. But a layer's part of a score is an outer product h ⊗ g of
 * its inputs and its output gradients, and a matrix of random signs whose rows are outer products themselves, a ⊗ b, needs
 * only ⟨a, h⟩ ⟨b, g⟩: |h| + |g| operations instead of |h| |g|, in two matrix products for all steps.
 */
public final class ScoreProjection {
    private final GaussianPolicy policy;
    private final int dimensions;
    private final Workers workers;
    private final Blas blas = Blas.best();
    private final float[][] inputSigns;
    private final float[][] outputSigns;
    private final float[] deviationSigns;

    /**
     * A projection for this policy, drawn anew for every {@code seed} and kept for the whole run.
     *
     * @param dimensions d; 0 leaves the scores as they are, |θ| values a step: for few steps only
     */
    public ScoreProjection(GaussianPolicy policy, int dimensions, long seed, Workers workers) {
        if (dimensions < 0) {
            throw new IllegalArgumentException("the number of dimensions is not " + dimensions);
        }
        this.policy = policy;
        this.dimensions = dimensions;
        this.workers = workers;
        int[] sizes = policy.layerSizes();
        RandomStream random = RandomStream.of(seed, Purpose.SCORE_PROJECTION);
        this.inputSigns = new float[sizes.length][];
        this.outputSigns = new float[sizes.length][];
        for (int l = 1; l < sizes.length; l++) {
            // one row more than inputs: the bias is the weight of an input that is always 1
            inputSigns[l] = signs((sizes[l - 1] + 1) * dimensions, random);
            outputSigns[l] = signs(sizes[l] * dimensions, random);
        }
        this.deviationSigns = signs(policy.actionSize() * dimensions, random);
    }

    private static float[] signs(int count, RandomStream random) {
        float[] signs = new float[count];
        for (int i = 0; i < count; i++) {
            signs[i] = random.nextDouble() < 0.5 ? -1 : 1;
        }
        return signs;
    }

    public int dimensions() {
        return dimensions == 0 ? policy.parameters().length : dimensions;
    }

    private record Rows(float[] observations, float[] actions, int count) {}

    private final class Workspace {
        private final GaussianPolicy.Batch batch = policy.batch(ChunkedGradient.CHUNK_ROWS);
        private final float[] ofInputs = new float[ChunkedGradient.CHUNK_ROWS * dimensions];
        private final float[] ofOutputs = new float[ChunkedGradient.CHUNK_ROWS * dimensions];
    }

    /**
     * The projected score of every state and action, row by row, under the policy's present parameters. What an episode gets
     * does not depend on the others.
     *
     * @param starts where each episode's rows start, and where the last one ends
     */
    public float[] project(int[] starts, float[] observations, float[] actions) {
        Rows rows = new Rows(observations, actions, actions.length / policy.actionSize());
        if (dimensions == 0) {
            return whole(rows);
        }
        float[] projected = new float[rows.count * dimensions];
        Workspace[] workspaces = new Workspace[workers.count()];
        Chunks chunks = Chunks.of(starts);
        workers.run(chunks.count(), (worker, chunk) -> {
            if (workspaces[worker] == null) {
                workspaces[worker] = new Workspace();
            }
            project(rows, chunks.from(chunk), chunks.rows(chunk), workspaces[worker], projected);
        });
        return projected;
    }

    private float[] whole(Rows rows) {
        int size = policy.parameters().length;
        if ((long) rows.count * size > Integer.MAX_VALUE - 8) {
            throw new ScoresTooLargeException(rows.count, size);
        }
        float[] scores = new float[rows.count * size];
        GaussianPolicy.Batch batch = policy.batch(1);
        float[] score = new float[size];
        for (int i = 0; i < rows.count; i++) {
            evaluate(rows, i, 1, batch);
            Arrays.fill(score, 0f);
            policy.addScores(batch, 1, score);
            System.arraycopy(score, 0, scores, i * size, size);
        }
        return scores;
    }

    private void evaluate(Rows all, int from, int rows, GaussianPolicy.Batch batch) {
        int states = policy.observationSize();
        int actions = policy.actionSize();
        System.arraycopy(all.observations, from * states, batch.observations(), 0, rows * states);
        System.arraycopy(all.actions, from * actions, batch.actions(), 0, rows * actions);
        policy.evaluate(batch, rows);
        Arrays.fill(batch.factors(), 0, rows, 1.0);
    }

    private void project(Rows all, int from, int rows, Workspace workspace, float[] into) {
        GaussianPolicy.Batch batch = workspace.batch;
        evaluate(all, from, rows, batch);
        int actions = policy.actionSize();
        int at = from * dimensions;
        float[] a = workspace.ofInputs;
        float[] b = workspace.ofOutputs;
        policy.visitScores(batch, rows, (layer, in, inputs, gradient, outputs) -> {
            blas.multiply(NO, NO, rows, dimensions, inputs, in, 0, inputSigns[layer], 0, 0f, a, 0);
            blas.multiply(NO, NO, rows, dimensions, outputs, gradient, 0, outputSigns[layer], 0, 0f, b, 0);
            int bias = inputs * dimensions;
            for (int r = 0; r < rows; r++) {
                for (int d = 0; d < dimensions; d++) {
                    int i = r * dimensions + d;
                    into[at + i] += (a[i] + inputSigns[layer][bias + d]) * b[i];
                }
            }
        });
        float scale = (float) (1 / Math.sqrt(dimensions));
        for (int r = 0; r < rows; r++) {
            for (int d = 0; d < dimensions; d++) {
                double sum = into[at + r * dimensions + d];
                for (int k = 0; k < actions; k++) {
                    sum += batch.deviationScores()[r * actions + k] * deviationSigns[k * dimensions + d];
                }
                into[at + r * dimensions + d] = scale * (float) sum;
            }
        }
    }
}
