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
 * A random projection of the scores u = ∇ log π(a|s) of many steps to a few dimensions that preserves inner products on
 * average: E⟨Pu, Pu'⟩ = ⟨u, u'⟩, with a standard deviation of order ‖u‖ ‖u'‖ / √d.
 *
 * <p>A dense d × |θ| matrix would cost |θ| d operations per step. But a layer's part of a score is an outer product h ⊗ g of
 * its inputs and its output gradients. If the rows of the random sign matrix are outer products a ⊗ b themselves, only
 * ⟨a, h⟩ ⟨b, g⟩ is needed: |h| + |g| operations instead of |h| |g|, in two matrix products for all steps.
 */
public final class ScoreProjection {
    private final Policy policy;
    private final int dimensions;
    private final Workers workers;
    private final Blas blas = Blas.best();
    private final float[][] inputSigns;
    private final float[][] outputSigns;
    private final float[] freeSigns;

    /**
     * Draws a projection.
     *
     * @param policy the live policy whose scores are projected
     * @param dimensions d; 0 does not project and gives |θ| values per step, which is feasible for few steps only
     * @param seed determines the projection
     * @param workers compute the projections
     * @throws IllegalArgumentException if {@code dimensions} is negative
     */
    public ScoreProjection(Policy policy, int dimensions, long seed, Workers workers) {
        if (dimensions < 0) {
            throw new IllegalArgumentException("dimensions must not be negative, got " + dimensions);
        }
        this.policy = policy;
        this.dimensions = dimensions;
        this.workers = workers;
        int[] sizes = policy.layerSizes();
        RandomStream random = RandomStream.of(seed, Purpose.SCORE_PROJECTION);
        this.inputSigns = new float[sizes.length][];
        this.outputSigns = new float[sizes.length][];
        for (int l = 1; l < sizes.length; l++) {
            // One more row than inputs: the bias is the weight of an input that is always 1.
            inputSigns[l] = signs((sizes[l - 1] + 1) * dimensions, random);
            outputSigns[l] = signs(sizes[l] * dimensions, random);
        }
        this.freeSigns = signs(policy.freeParameters() * dimensions, random);
    }

    private static float[] signs(int count, RandomStream random) {
        float[] signs = new float[count];
        for (int i = 0; i < count; i++) {
            signs[i] = random.nextDouble() < 0.5 ? -1 : 1;
        }
        return signs;
    }

    /** {@return the number of values per step} */
    public int dimensions() {
        return dimensions == 0 ? policy.parameters().length : dimensions;
    }

    private record Rows(float[] observations, float[] actions, int count) {}

    private final class Workspace {
        private final Policy.Batch batch = policy.batch(ChunkedGradient.CHUNK_ROWS);
        private final float[] ofInputs = new float[ChunkedGradient.CHUNK_ROWS * dimensions];
        private final float[] ofOutputs = new float[ChunkedGradient.CHUNK_ROWS * dimensions];
    }

    /**
     * Projects the score of every step under the policy's current parameters. The result of an episode does not depend on
     * the others.
     *
     * @param starts the row at which each episode starts, and the row after the last one
     * @param observations one row for each step
     * @param actions one row for each step
     * @return one row of {@link #dimensions} values for each step
     * @throws ScoresTooLargeException if the scores are not projected and do not fit into an array
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
        Policy.Batch batch = policy.batch(1);
        float[] score = new float[size];
        for (int i = 0; i < rows.count; i++) {
            evaluate(rows, i, 1, batch);
            Arrays.fill(score, 0f);
            policy.addScores(batch, 1, score);
            System.arraycopy(score, 0, scores, i * size, size);
        }
        return scores;
    }

    private void evaluate(Rows all, int from, int rows, Policy.Batch batch) {
        int states = policy.observationSize();
        int actions = policy.actionSize();
        System.arraycopy(all.observations, from * states, batch.observations(), 0, rows * states);
        System.arraycopy(all.actions, from * actions, batch.actions(), 0, rows * actions);
        policy.evaluate(batch, rows);
        Arrays.fill(batch.factors(), 0, rows, 1.0);
    }

    private void project(Rows all, int from, int rows, Workspace workspace, float[] into) {
        Policy.Batch batch = workspace.batch;
        evaluate(all, from, rows, batch);
        int free = policy.freeParameters();
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
                for (int k = 0; k < free; k++) {
                    sum += batch.freeScores()[r * free + k] * freeSigns[k * dimensions + d];
                }
                into[at + r * dimensions + d] = scale * (float) sum;
            }
        }
    }
}
