package dev.pgkq.train;

import dev.pgkq.gradient.AdvantageForm;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.text.UserException;

/**
 * Everything that determines a run besides its task: with the same settings and task, the same bits.
 *
 * @param algorithm base and variant
 * @param batch N, episodes sampled per iteration
 * @param select n, episodes paid for per iteration
 * @param seed keys every random number
 * @param discount γ
 * @param estimator form of the advantage
 * @param stepDiscount whether samples carry the factor γ^t
 * @param standardize whether advantages are standardised
 * @param clip ε of PPO
 * @param policy how the policy ascends
 * @param value how the baseline is fitted
 * @param valueLearningRate of the baseline
 */
public record TrainSettings(
        Algorithm algorithm,
        int batch,
        int select,
        long seed,
        double discount,
        AdvantageForm estimator,
        boolean stepDiscount,
        boolean standardize,
        double clip,
        SurrogateAscent.Settings policy,
        Minibatches value,
        double valueLearningRate) {

    public TrainSettings {
        require(batch >= 1, "batch must be at least 1, got " + batch);
        require(select >= 1, "select must be at least 1, got " + select);
        require(
                select <= batch,
                "select (" + select + ") must not exceed batch (" + batch + "): only sampled episodes can"
                        + " be paid for");
        require(discount > 0 && discount <= 1, "discount must be in (0, 1], got " + discount);
        require(clip > 0 && clip < 1, "clip must be in (0, 1), got " + clip);
        require(valueLearningRate > 0, "value-learning-rate must be positive, got " + valueLearningRate);
    }

    /**
     * What is used where nothing else is said: the paper's formulas and figures, and for what the paper leaves open what
     * {@code docs/hyperparameters.md} found.
     */
    public static TrainSettings defaults(Algorithm algorithm, long seed) {
        double learningRate = 3e-4;
        Minibatches tenTimesFour = new Minibatches(10, 4);
        Minibatches ofPolicy = switch (algorithm.base()) {
            case VPG -> new Minibatches(1, 1);
            case PPO -> tenTimesFour;
        };
        return new TrainSettings(
                algorithm,
                64,
                8,
                seed,
                0.995,
                AdvantageForm.E2,
                true,
                false,
                0.2,
                new SurrogateAscent.Settings(ofPolicy, learningRate, 0, Double.POSITIVE_INFINITY),
                tenTimesFour,
                learningRate);
    }

    /** Episodes that an iteration samples. */
    public int sampled() {
        return switch (algorithm.variant()) {
            case SMALL -> select;
            case LARGE -> batch;
        };
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new UserException(message);
        }
    }
}
