package dev.pgkq.benchmarks;

import dev.pgkq.gradient.AdvantageBatch;
import dev.pgkq.gradient.PolicyGradient.PolicyStep;
import dev.pgkq.gradient.Surrogate;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One PPO minibatch update against libtorch, one thread each: 256 rows through 17-200-100-6, clipped loss, gradient, Adam. Our
 * side also shuffles and gathers the rows and computes the gradient norm. Each call runs many epochs, because it ends with a
 * forward pass that evaluates the finished step and is not part of an update.
 */
final class PolicyUpdate implements Benchmark {
    private static final String WHAT = "PPO update, 256 rows of 17-200-100-6, against libtorch, one thread";
    private static final double TARGET = 2;
    private static final int ROWS = 256;
    private static final int[] SIZES = {17, 200, 100, 6};
    private static final double CLIP = 0.2;
    /** So small that thousands of updates on one batch do not change the work: no further ratios become clipped. */
    private static final double LEARNING_RATE = 1e-10;

    private static final double TOLERANCE = 1e-3;
    private static final int UPDATES_PER_ROUND = 50;

    @Override
    public String name() {
        return "update";
    }

    @Override
    public String doing() {
        return "PPO updates, in Java and libtorch (up to half a minute)";
    }

    @Override
    public List<Row> run(Effort effort) {
        Policy policy = Policy.gaussian(SIZES[0], SIZES[SIZES.length - 1], 1);
        AdvantageBatch batch = batch(policy);
        try (Workers workers = new Workers(1);
                TorchPpo torch = new TorchPpo(batch, SIZES, policy.parameters(), LEARNING_RATE, CLIP)) {
            SurrogateAscent ours = new SurrogateAscent(
                    policy,
                    new Surrogate.Clipped(CLIP),
                    new SurrogateAscent.Settings(
                            new Minibatches(UPDATES_PER_ROUND, 1), LEARNING_RATE, 0, Double.POSITIVE_INFINITY),
                    1,
                    workers);
            requireSameMathematics(torch.objectiveAndNorm(), ours.improve(batch, 0));
            torch.update();
            Rounds rounds = Rounds.alternate(
                    effort.rounds(40),
                    effort.rounds(120),
                    Rounds.timed(() -> ours.improve(batch, 1)),
                    Rounds.timed(() -> repeat(torch::update)));
            requireSameMathematics(torch.objectiveAndNorm(), ours.improve(batch, 1));
            return List.of(Row.atLeast(
                    WHAT, milliseconds(rounds.ours()), milliseconds(rounds.peer()), rounds.speedup(), TARGET));
        } catch (UnsatisfiedLinkError e) {
            return List.of(Row.notMeasured(WHAT, "≥ " + (int) TARGET, "libtorch cannot be loaded: " + e.getMessage()));
        }
    }

    private static void repeat(Runnable update) {
        for (int i = 0; i < UPDATES_PER_ROUND; i++) {
            update.run();
        }
    }

    private static String milliseconds(double round) {
        return String.format(Locale.ROOT, "%.3f ms", 1e3 * round / UPDATES_PER_ROUND);
    }

    /** Realistic data: actions of the policy, slightly different log-probabilities, advantages of both signs. */
    private static AdvantageBatch batch(Policy policy) {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        int states = SIZES[0];
        int actions = SIZES[SIZES.length - 1];
        Policy.Batch rows = policy.batch(ROWS);
        RandomStream[] streams = new RandomStream[ROWS];
        for (int r = 0; r < ROWS; r++) {
            streams[r] = RandomStream.of(2, Purpose.CHECK, r);
            for (int i = 0; i < states; i++) {
                rows.observations()[r * states + i] = (float) random.nextGaussian();
            }
        }
        policy.draw(rows, ROWS, streams);
        float[] oldLogProbs = new float[ROWS];
        float[] coefficients = new float[ROWS];
        for (int r = 0; r < ROWS; r++) {
            oldLogProbs[r] = (float) (rows.logProbs()[r] + 0.1 * random.nextGaussian());
            coefficients[r] = (float) random.nextGaussian() / ROWS;
        }
        return new AdvantageBatch(
                ROWS,
                Arrays.copyOf(rows.observations(), ROWS * states),
                Arrays.copyOf(rows.actions(), ROWS * actions),
                oldLogProbs,
                coefficients);
    }

    /** Checks that both sides compute the same, without which a comparison of speed is meaningless. */
    private static void requireSameMathematics(double[] torch, PolicyStep ours) {
        requireClose("objective", torch[0], ours.objective());
        requireClose("gradient norm", torch[1], ours.gradientNorm());
    }

    private static void requireClose(String what, double peer, double our) {
        if (!(Math.abs(peer - our) <= TOLERANCE * Math.abs(peer))) {
            throw new IllegalStateException(what + " differs: libtorch " + peer + ", ours " + our);
        }
    }
}
