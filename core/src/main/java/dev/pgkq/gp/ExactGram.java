package dev.pgkq.gp;

import dev.pgkq.parallel.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The Gram matrix by its formula: every step of every episode with every step of every other, N² T² / 2 kernel values,
 * none of which is stored.
 *
 * <p>A task is a pair of episodes. Within a pair, groups of four steps t pass through all steps u in 16 lanes of
 * floats. The lanes of all passes are added in doubles, lane by lane, and the lanes are added last. The order of all
 * additions depends on the lengths of the two episodes only: neither the width of the processor's vectors nor the
 * number of threads changes a bit.
 */
public final class ExactGram implements EpisodicGram {
    private static final double KERNEL_VALUES_PER_SECOND = 1.5e9;

    /** So many dimensions of a weight take as long as a kernel value. */
    private static final double DIMENSIONS_PER_KERNEL_VALUE = 20;

    private final boolean plain;

    /** Uses SIMD where it is on. */
    public ExactGram() {
        this(false);
    }

    private ExactGram(boolean plain) {
        this.plain = plain;
    }

    /** {@return one in plain Java, to compare with} */
    public static ExactGram plain() {
        return new ExactGram(true);
    }

    @Override
    public Part part(EmbeddedEpisodes episodes, double[] mean, Workers workers) {
        return new Embedded(episodes, mean, plain);
    }

    /** Half of all pairs of steps; a weight of many dimensions adds an inner product. */
    @Override
    public double seconds(int episodes, double steps, int dimensions) {
        return steps * steps / 2 * (1 + dimensions / DIMENSIONS_PER_KERNEL_VALUE) / KERNEL_VALUES_PER_SECOND;
    }

    /** The steps themselves, and packed twice. */
    @Override
    public double bytes(int episodes, double steps, int dimensions) {
        return 3.0 * Float.BYTES * steps * (1 + dimensions + DeepKernel.FEATURES);
    }

    @Override
    public int alignment() {
        return 1;
    }

    /**
     * Steps are packed where they are used, because packing doubles their size.
     *
     * @param episodes the episodes of the part
     * @param mean mean of all embeddings of the batch
     * @param plain whether to compute in plain Java, without SIMD
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Embedded(EmbeddedEpisodes episodes, double[] mean, boolean plain) implements Part {
        @Override
        public int count() {
            return episodes.count();
        }

        @Override
        public Part and(List<Part> following) {
            List<EmbeddedEpisodes> all = new ArrayList<>(List.of(episodes));
            following.forEach(part -> all.add(((Embedded) part).episodes));
            return new Embedded(EmbeddedEpisodes.joined(all), mean, plain);
        }

        @Override
        public double[] against(Part columns, Workers workers) {
            PackedSteps rows = PackedSteps.of(episodes, mean);
            PackedSteps others = columns.equals(this) ? rows : PackedSteps.of(((Embedded) columns).episodes, mean);
            Block block = new Block(rows, count(), others, columns.count(), kernel(), sums(workers));
            return columns.equals(this) ? block.ofItself(workers) : block.ofOthers(workers);
        }

        private GramKernel kernel() {
            return plain ? new PlainGramKernel() : GramKernel.best();
        }

        /** Identity: comparing arrays would be slow, and only a part itself needs to be recognised. */
        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    private static Sums[] sums(Workers workers) {
        Sums[] sums = new Sums[workers.count()];
        Arrays.setAll(sums, w -> new Sums());
        return sums;
    }

    private record Block(PackedSteps rows, int m, PackedSteps columns, int n, GramKernel kernel, Sums[] sums) {
        double[] ofItself(Workers workers) {
            double[] gram = new double[n * n];
            workers.run(n * (n + 1) / 2, (worker, task) -> {
                int j = triangularRoot(task);
                int i = task - j * (j + 1) / 2;
                double value = pair(i, j, sums[worker]);
                gram[i * n + j] = value;
                gram[j * n + i] = value;
            });
            return gram;
        }

        double[] ofOthers(Workers workers) {
            double[] gram = new double[m * n];
            workers.run(m * n, (worker, task) -> gram[task] = pair(task / n, task % n, sums[worker]));
            return gram;
        }

        private double pair(int i, int j, Sums own) {
            double[] lanes = own.lanes;
            Arrays.fill(lanes, 0);
            for (int group = rows.firstGroup(i); group < rows.firstGroup(i + 1); group++) {
                kernel.pass(rows, group, columns, j, own.pass);
                for (int lane = 0; lane < lanes.length; lane++) {
                    lanes[lane] += own.pass[lane];
                }
            }
            double sum = 0;
            for (double lane : lanes) {
                sum += lane;
            }
            return sum;
        }
    }

    /** The j with j (j + 1) / 2 ≤ task &lt; (j + 1) (j + 2) / 2: pairs are numbered along the rows of a triangle. */
    private static int triangularRoot(int task) {
        // 8 · task + 1 is exact in doubles, and a square number where the root has to be an integer.
        return (int) ((Math.sqrt(8.0 * task + 1) - 1) / 2);
    }

    /** The sums of one worker. */
    private static final class Sums {
        final float[] pass = new float[PackedSteps.LANES];
        final double[] lanes = new double[PackedSteps.LANES];
    }
}
