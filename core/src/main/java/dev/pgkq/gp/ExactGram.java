package dev.pgkq.gp;

import dev.pgkq.parallel.Workers;
import java.util.Arrays;

/**
 * The Gram matrix by its formula: every step of every episode against every step of every other, N² T² / 2 kernel values,
 * none of which is ever stored.
 *
 * <p>Work is cut into pairs of episodes; a pair belongs to one thread. Within a pair, {@link GramKernel#ROWS} steps t go
 * through all steps u at once in {@link PackedSteps#LANES} lanes of floats. What such a pass leaves in the lanes is added
 * up in doubles, lane by lane, and the lanes are added last. The order of all additions depends on the lengths of the two
 * episodes only: neither the width of the processor's vectors nor the number of threads changes a bit.
 */
public record ExactGram() implements EpisodicGram {
    @Override
    public double[] of(EmbeddedEpisodes episodes, Workers workers) {
        return of(episodes, workers, GramKernelChoice.BEST);
    }

    static double[] of(EmbeddedEpisodes episodes, Workers workers, GramKernel kernel) {
        int n = episodes.count();
        double[] gram = new double[n * n];
        if (episodes.rows() == 0) {
            return gram;
        }
        PackedSteps steps = PackedSteps.of(episodes);
        Sums[] sums = new Sums[workers.count()];
        for (int w = 0; w < sums.length; w++) {
            sums[w] = new Sums();
        }
        workers.run(n * (n + 1) / 2, (worker, task) -> {
            int j = triangularRoot(task);
            int i = task - j * (j + 1) / 2;
            double value = pair(steps, i, j, kernel, sums[worker]);
            gram[i * n + j] = value;
            gram[j * n + i] = value;
        });
        return gram;
    }

    /** The j with j (j + 1) / 2 ≤ task < (j + 1) (j + 2) / 2: pairs are numbered along the rows of a triangle. */
    private static int triangularRoot(int task) {
        // 8 · task + 1 is exact in doubles, and a square where the root must be whole.
        return (int) ((Math.sqrt(8.0 * task + 1) - 1) / 2);
    }

    /** One worker's. */
    private static final class Sums {
        final float[] pass = new float[PackedSteps.LANES];
        final double[] lanes = new double[PackedSteps.LANES];
    }

    private static double pair(PackedSteps steps, int i, int j, GramKernel kernel, Sums sums) {
        double[] lanes = sums.lanes;
        Arrays.fill(lanes, 0);
        for (int group = steps.firstGroup(i); group < steps.firstGroup(i + 1); group++) {
            kernel.pass(steps, group, j, sums.pass);
            for (int lane = 0; lane < lanes.length; lane++) {
                lanes[lane] += sums.pass[lane];
            }
        }
        double sum = 0;
        for (double lane : lanes) {
            sum += lane;
        }
        return sum;
    }
}
