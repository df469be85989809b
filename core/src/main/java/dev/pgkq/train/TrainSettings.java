package dev.pgkq.train;

import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.purchase.OnFailure;
import dev.pgkq.quadrature.Quadrature;
import dev.pgkq.reward.Grain;
import dev.pgkq.text.UserException;
import dev.pgkq.train.SelectionSettings.Gram;
import dev.pgkq.train.SelectionSettings.Kernel;
import dev.pgkq.train.SelectionSettings.Noise;
import dev.pgkq.train.SelectionSettings.Reweight;
import java.io.Serializable;

/**
 * Everything that determines a run besides its task: with the same settings and task, the same bits.
 *
 * @param algorithm base and variant
 * @param batch N, episodes sampled per iteration
 * @param select n, episodes paid for per iteration
 * @param seed keys every random number
 * @param grain what the rewards' oracle tells of an episode
 * @param discount γ
 * @param estimator form of the advantage
 * @param stepDiscount whether samples carry the factor γ^t
 * @param standardize whether advantages are standardised
 * @param correction form of the advantage for what a reward model missed
 * @param clip ε of PPO
 * @param policy how the policy ascends
 * @param value how the baseline is fitted
 * @param valueLearningRate of the baseline
 * @param selection how a kernel chooses episodes
 * @param kernel the kernel between steps
 * @param mean how the mean of the reward model learns
 * @param learn when the reward model learns
 * @param onFailure what to do about rewards that do not come
 */
public record TrainSettings(
        Algorithm algorithm,
        int batch,
        int select,
        long seed,
        Grain grain,
        double discount,
        AdvantageForm estimator,
        boolean stepDiscount,
        boolean standardize,
        Correction correction,
        double clip,
        SurrogateAscent.Settings policy,
        Minibatches value,
        double valueLearningRate,
        SelectionSettings selection,
        DeepKernel.Settings kernel,
        RewardModel.Settings mean,
        Learn learn,
        OnFailure onFailure)
        implements Serializable {

    public TrainSettings {
        require(batch >= 1, "batch must be at least 1, got " + batch);
        require(select >= 1, "select must be at least 1, got " + select);
        require(
                select <= batch,
                "select (" + select + ") must not exceed batch (" + batch + "): only sampled episodes can"
                        + " be paid for");
        require(discount > 0 && discount <= 1, "discount must be in (0, 1], got " + discount);
        require(clip > 0 && clip < 1, "clip must be in (0, 1), got " + clip);
        require(
                grain == Grain.STEP || estimator == AdvantageForm.E1,
                "estimator e2 takes a reward of the last step for what comes after it, and one number for a whole"
                        + " episode is credited there: use estimator e1");
        require(valueLearningRate > 0, "value-learning-rate must be positive, got " + valueLearningRate);
    }

    /** Where values that nobody gave come from. */
    public enum Preset {
        /** What {@code docs/algorithms.md} and {@code docs/hyperparameters.md} found best. */
        STANDARD,
        /** The paper to the letter, and for what it leaves open the same as the standard. */
        PAPER
    }

    /** What the correction of a reward model looks like where the estimator is E2. */
    public enum Correction {
        /** Bootstrapped like everything else: with n = N the model cancels. */
        MATCHED,
        /** Returns as they are, as in the paper. */
        PAPER
    }

    /** When the reward model learns from the rewards that were just paid for. */
    public enum Learn {
        /** Before the policy step, which then knows them through the model. */
        BEFORE,
        /** After the policy step, as in the paper: the step's model has not seen them. */
        AFTER
    }

    private static final double LEARNING_RATE = 3e-4;

    /** What is used where nothing else is said. */
    public static TrainSettings defaults(Preset preset, Algorithm algorithm, Grain grain, long seed) {
        Minibatches tenTimesFour = new Minibatches(10, 4);
        Minibatches ofPolicy = switch (algorithm.base()) {
            case VPG -> new Minibatches(1, 1);
            case PPO -> tenTimesFour;
        };
        boolean whole = grain == Grain.EPISODE;
        boolean paper = preset == Preset.PAPER;
        boolean plus = algorithm.variant() == Variant.KQ_PLUS;
        return new TrainSettings(
                algorithm,
                64,
                8,
                seed,
                grain,
                // one number for a whole episode should not count the less the longer the episode was
                whole ? 1 : 0.995,
                whole ? AdvantageForm.E1 : AdvantageForm.E2,
                paper,
                !paper,
                paper ? Correction.PAPER : Correction.MATCHED,
                0.2,
                new SurrogateAscent.Settings(ofPolicy, LEARNING_RATE, 0, Double.POSITIVE_INFINITY),
                tenTimesFour,
                LEARNING_RATE,
                new SelectionSettings(
                        paper ? Quadrature.RECOMBINATION : plus ? Quadrature.PURSUIT : Quadrature.SEARCH,
                        paper ? Reweight.NONE : Reweight.SIMPLEX,
                        paper ? Kernel.SCALAR : Kernel.SCORE,
                        32,
                        paper ? Noise.INCLUDE : Noise.EXCLUDE,
                        Gram.EXACT,
                        512),
                new DeepKernel.Settings(0, -2, 1, 64, 40, LEARNING_RATE),
                new RewardModel.Settings(new Minibatches(30, 4), LEARNING_RATE, plus ? 15 : 0),
                plus ? Learn.BEFORE : Learn.AFTER,
                OnFailure.REWEIGHT);
    }

    public static TrainSettings defaults(Algorithm algorithm, long seed) {
        return defaults(Preset.STANDARD, algorithm, Grain.STEP, seed);
    }

    /** Episodes that an iteration samples. */
    public int sampled() {
        return algorithm.variant() == Variant.SMALL ? select : batch;
    }

    /** Episodes that an iteration pays for, at most. */
    public int paid() {
        return algorithm.variant() == Variant.LARGE ? batch : select;
    }

    AdvantageForm correctionForm() {
        return correction == Correction.MATCHED ? estimator : AdvantageForm.E1;
    }

    Credit credit() {
        return new Credit(estimator, discount, stepDiscount);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new UserException(message);
        }
    }
}
