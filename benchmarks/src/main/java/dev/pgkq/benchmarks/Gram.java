package dev.pgkq.benchmarks;

import dev.pgkq.gp.EmbeddedEpisodes;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.gp.FeatureGram;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The Gram matrix of episodes: against C with AVX-512 and plain Java, with vector weights and features, and its scaling. */
final class Gram implements Benchmark {
    private static final String AGAINST_C = "Gram matrix, N = 64, T = 1000, against C with AVX-512, CPU time";
    private static final double TARGET = 0.7;
    private static final double VECTOR_WEIGHTS_TARGET = 4;
    private static final double AGREEMENT = 1e-5;
    private static final int EPISODES = 64;
    private static final int STEPS = 1000;
    private static final int FEATURES = 10;
    private static final int SCORES = 32;
    private static final int RANDOM_FEATURES = 1000;
    private static final int SEEDS = 10;

    @Override
    public String name() {
        return "gram";
    }

    @Override
    public String doing() {
        return "Gram matrix of episodes: Java, C, random features, scaling (a minute)";
    }

    @Override
    public List<Row> run(Effort effort) {
        try (Workers workers = new Workers(1)) {
            List<Row> rows = new ArrayList<>();
            rows.add(againstC(effort, workers));
            rows.add(againstPlain(effort, workers));
            rows.add(vectorWeights(effort, workers));
            rows.add(randomFeatures(effort, workers));
            rows.addAll(GramScaling.rows(effort, workers));
            return rows;
        }
    }

    /** Normal embeddings and weights. */
    static EmbeddedEpisodes episodes(int count, int steps, int dimensions) {
        int[] starts = new int[count + 1];
        for (int i = 0; i < count; i++) {
            starts[i + 1] = starts[i] + steps;
        }
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        return new EmbeddedEpisodes(
                starts,
                FEATURES,
                normals(random, count * steps * FEATURES),
                dimensions,
                normals(random, count * steps * dimensions));
    }

    private static float[] normals(RandomStream random, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    private static Row againstC(Effort effort, Workers workers) {
        EmbeddedEpisodes episodes = episodes(EPISODES, STEPS, 1);
        EpisodicGram exact = new ExactGram();
        try (CGram c = new CGram(episodes)) {
            double[] gram = exact.of(episodes, workers);
            double ours = 0;
            double size = 0;
            for (double value : gram) {
                ours += value;
                size += Math.abs(value);
            }
            double theirs = c.round().sum();
            if (Math.abs(ours - theirs) > AGREEMENT * size) {
                throw new IllegalStateException("Java and C give different results: " + ours + ", " + theirs);
            }
            // CPU time, because a round is so long that other processes of a busy machine always take part of it.
            Rounds rounds = Rounds.alternate(
                    effort.rounds(2),
                    effort.rounds(15),
                    () -> {
                        double start = Machine.ownSeconds();
                        exact.of(episodes, workers);
                        return Machine.ownSeconds() - start;
                    },
                    () -> c.round().cpuSeconds());
            return Row.atLeast(
                    AGAINST_C, rate(episodes, rounds.ours()), rate(episodes, rounds.peer()), rounds.speedup(), TARGET);
        } catch (CProgram.Unavailable e) {
            return Row.notMeasured(AGAINST_C, "≥ " + TARGET, String.valueOf(e.getMessage()));
        }
    }

    private static Row againstPlain(Effort effort, Workers workers) {
        EmbeddedEpisodes episodes = episodes(8, STEPS / 2, 1);
        EpisodicGram exact = new ExactGram();
        EpisodicGram plain = ExactGram.plain();
        Rounds rounds = Rounds.alternate(
                effort.rounds(10),
                effort.rounds(20),
                Rounds.timed(() -> exact.of(episodes, workers)),
                Rounds.timed(() -> plain.of(episodes, workers)));
        return Row.forReference(
                "Gram matrix, SIMD against plain Java",
                rate(episodes, rounds.ours()),
                rate(episodes, rounds.peer()),
                rounds.speedup());
    }

    private static Row vectorWeights(Effort effort, Workers workers) {
        EmbeddedEpisodes vectors = episodes(16, STEPS, SCORES);
        EmbeddedEpisodes numbers = episodes(16, STEPS, 1);
        EpisodicGram exact = new ExactGram();
        Rounds rounds = Rounds.alternate(
                effort.rounds(5),
                effort.rounds(20),
                Rounds.timed(() -> exact.of(vectors, workers)),
                Rounds.timed(() -> exact.of(numbers, workers)));
        return Row.ratioAtMost(
                "Gram matrix with weights in 32 dimensions, time against 1",
                milliseconds(rounds.ours()),
                milliseconds(rounds.peer()),
                rounds.ours() / rounds.peer(),
                VECTOR_WEIGHTS_TARGET);
    }

    private static Row randomFeatures(Effort effort, Workers workers) {
        EmbeddedEpisodes episodes = episodes(EPISODES, STEPS, 1);
        EpisodicGram exact = new ExactGram();
        EpisodicGram features = new FeatureGram(RANDOM_FEATURES, 0);
        Rounds rounds = Rounds.alternate(
                1,
                effort.rounds(5),
                Rounds.timed(() -> features.of(episodes, workers)),
                Rounds.timed(() -> exact.of(episodes, workers)));
        double[] truth = exact.of(episodes, workers);
        double squares = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            double error = relativeError(new FeatureGram(RANDOM_FEATURES, seed).of(episodes, workers), truth);
            squares += error * error / SEEDS;
        }
        return Row.forReference(
                String.format(
                        Locale.ROOT,
                        "Gram matrix from %d random features, error %.1f %% of the norm, against exact",
                        RANDOM_FEATURES,
                        100 * Math.sqrt(squares)),
                milliseconds(rounds.ours()),
                milliseconds(rounds.peer()),
                rounds.speedup());
    }

    /** ‖A − K‖ / ‖K‖ in the Frobenius norm. */
    private static double relativeError(double[] gram, double[] truth) {
        double error = 0;
        double norm = 0;
        for (int i = 0; i < truth.length; i++) {
            error += (gram[i] - truth[i]) * (gram[i] - truth[i]);
            norm += truth[i] * truth[i];
        }
        return Math.sqrt(error / norm);
    }

    /** Kernel values per second, counting half of the matrix and not the padding of blocks. */
    private static String rate(EmbeddedEpisodes episodes, double seconds) {
        double n = episodes.count();
        double t = episodes.length(0);
        return String.format(Locale.ROOT, "%.2f G values/s", n * (n + 1) / 2 * t * t / seconds * 1e-9);
    }

    static String milliseconds(double seconds) {
        return String.format(Locale.ROOT, seconds < 0.1 ? "%.1f ms" : "%.0f ms", 1e3 * seconds);
    }
}
