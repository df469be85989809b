package dev.pgkq.train;

import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.KernelUpdates;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.model.Bootstrap;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.HiddenLayers;
import dev.pgkq.nn.InputScale;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.nn.TargetUnits;
import dev.pgkq.purchase.OnFailure;
import dev.pgkq.reward.Grain;
import dev.pgkq.select.Pace;
import dev.pgkq.text.Require;
import java.io.Serializable;

/**
 * Everything that determines a run besides its task: the same settings and task give the same bits.
 *
 * <p>Start from the defaults and change what differs:
 *
 * <pre>{@code
 * TrainSettings.defaults(Algorithm.named("ppo-kq-plus"), 1).withBatch(32).withSelect(4)
 * }</pre>
 *
 * Every part validates itself and throws an {@link IllegalArgumentException} that says what is wrong.
 *
 * @param algorithm base and variant
 * @param seed keys every random number
 * @param networks the networks of the policy and of the value function, and what all networks see
 * @param episodes how many episodes an iteration samples and evaluates
 * @param advantage how rewards become advantages
 * @param policy how the policy ascends
 * @param baseline how the value function is fitted
 * @param targets units in which the value function, the reward model and the kernel are fitted
 * @param selection how a kernel chooses episodes; ignored unless {@link Variant#choosesByKernel}
 * @param kernel the kernel between steps; ignored unless {@link Variant#choosesByKernel}
 * @param model the reward model; ignored unless {@link Variant#modelsRewards}
 */
public record TrainSettings(
        Algorithm algorithm,
        long seed,
        Networks networks,
        Episodes episodes,
        Advantage advantage,
        Policy policy,
        Baseline baseline,
        TargetUnits targets,
        SelectionSettings selection,
        DeepKernel.Settings kernel,
        Model model)
        implements Serializable {

    /** The largest batch that a kernel can choose from: its matrix of all pairs has to fit into one array. */
    public static final int LARGEST_KERNEL_BATCH = 46_340;

    private static final double LEARNING_RATE = 3e-4;
    private static final Minibatches TEN_TIMES_FOUR = new Minibatches(10, 4);

    /**
     * Checks the parts against each other.
     *
     * @throws IllegalArgumentException if a kernel chooses from a batch larger than {@link #LARGEST_KERNEL_BATCH}; where an
     *     episode has a single reward, also if the estimator is not E1 or the discount is not 1 without {@code stepDiscount}
     */
    public TrainSettings {
        Require.that(
                !algorithm.variant().choosesByKernel() || episodes.batch <= LARGEST_KERNEL_BATCH,
                "batch must be at most " + LARGEST_KERNEL_BATCH + " where a kernel chooses episodes, got "
                        + episodes.batch + ": its matrix of all pairs has to fit into one array");
        Require.that(
                episodes.select instanceof Pace.Fixed || algorithm.variant().decidesHowMany(),
                "select must be a number for " + algorithm.id()
                        + ": only kq-bayes decides how many episodes to evaluate");
        Require.that(
                !advantage.estimator.bootstraps() || advantage.discount < 1,
                "discount must be below 1 where returns are bootstrapped: without discount they grow with every bootstrap");
        if (episodes.grain == Grain.EPISODE) {
            Require.that(
                    advantage.estimator == AdvantageForm.E1,
                    "estimator must be e1 where an episode has a single reward: that reward is about the whole episode, and"
                            + " nothing follows its last step");
            Require.that(
                    advantage.discount == 1 || advantage.stepDiscount,
                    "discount must be 1 where an episode has a single reward and steps are not discounted, got "
                            + advantage.discount + ": later steps would weigh more than earlier ones");
        }
    }

    /** The source of default values. */
    public enum Preset {
        /** What {@code docs/algorithms.md} and {@code docs/hyperparameters.md} found best. */
        STANDARD,
        /** The paper's formulas and settings; the standard values where the paper is silent. */
        PAPER
    }

    /** The form of the advantage in which a reward model is corrected. */
    public enum Correction {
        /** The estimator's own form: with n = N the model cancels. */
        MATCHED,
        /** Plain returns (E1), as in the paper. */
        PAPER
    }

    /** When the reward model learns from the rewards of an iteration. */
    public enum Learn {
        /** Before the policy step, so that the step's model has seen them. */
        BEFORE,
        /** After the policy step, as in the paper. */
        AFTER
    }

    /**
     * The networks.
     *
     * @param hidden hidden layers of the policy and of the value function
     * @param normalizeObservations whether all networks see observations in units of their running mean and deviation
     */
    public record Networks(HiddenLayers hidden, boolean normalizeObservations) implements Serializable {}

    /**
     * How many episodes an iteration samples and evaluates, and what an evaluation yields.
     *
     * @param batch N, episodes sampled per iteration
     * @param select n, episodes evaluated per iteration, or how their number is decided
     * @param grain what the oracle reports of an episode
     * @param onFailure what to do when an evaluation fails
     */
    public record Episodes(int batch, Pace select, Grain grain, OnFailure onFailure) implements Serializable {
        /**
         * Checks the counts.
         *
         * @throws IllegalArgumentException if a count is below 1, or {@code select} exceeds {@code batch}
         */
        public Episodes {
            Require.atLeast(1, "batch", batch);
            Require.that(
                    select.most() <= batch,
                    "select (" + select.most() + ") must not exceed batch (" + batch
                            + "): only sampled episodes can be evaluated");
        }
    }

    /**
     * How rewards become advantages.
     *
     * @param discount γ
     * @param estimator form of the advantage
     * @param stepDiscount whether step t carries the factor γ^t
     * @param standardize whether advantages are scaled to mean 0 and variance 1
     */
    public record Advantage(double discount, AdvantageForm estimator, boolean stepDiscount, boolean standardize)
            implements Serializable {
        /**
         * Checks the discount.
         *
         * @throws IllegalArgumentException if the discount is not above 0 and at most 1
         */
        public Advantage {
            Require.that(discount > 0 && discount <= 1, "discount must be above 0 and at most 1, got " + discount);
        }

        static Advantage defaults(Preset preset, Grain grain) {
            boolean paper = preset == Preset.PAPER;
            return switch (grain) {
                case STEP -> new Advantage(0.995, paper ? AdvantageForm.E2 : AdvantageForm.BOOTSTRAP, paper, !paper);
                // the single reward of a long episode should count as much as that of a short one
                case EPISODE -> new Advantage(1, AdvantageForm.E1, paper, !paper);
            };
        }
    }

    /**
     * How the policy ascends.
     *
     * @param clip ε of PPO; ignored by VPG
     * @param ascent the updates of a policy step
     */
    public record Policy(double clip, SurrogateAscent.Settings ascent) implements Serializable {
        /**
         * Checks the clip range.
         *
         * @throws IllegalArgumentException if {@code clip} is not above 0 and below 1
         */
        public Policy {
            Require.that(clip > 0 && clip < 1, "clip must be between 0 and 1, got " + clip);
        }

        static Policy defaults(Base base) {
            Minibatches minibatches = switch (base) {
                case VPG -> new Minibatches(1, 1);
                case PPO -> TEN_TIMES_FOUR;
            };
            return new Policy(
                    0.2, new SurrogateAscent.Settings(minibatches, LEARNING_RATE, 0, Double.POSITIVE_INFINITY));
        }
    }

    /**
     * How the value function is fitted.
     *
     * @param minibatches epochs and minibatches of a fit
     * @param learningRate of Adam
     */
    public record Baseline(Minibatches minibatches, double learningRate) implements Serializable {
        /**
         * Checks the learning rate.
         *
         * @throws IllegalArgumentException if the learning rate is not finite and positive
         */
        public Baseline {
            Require.positive("learning rate of the baseline", learningRate);
        }
    }

    /**
     * The reward model and how it is used.
     *
     * @param mean how its mean is fitted
     * @param learn when it learns
     * @param correction the form in which it is corrected by the rewards that were evaluated
     */
    public record Model(RewardModel.Settings mean, Learn learn, Correction correction) implements Serializable {
        static Model defaults(Preset preset, Variant variant) {
            // kq is the paper's; controls get all the help that pgkq's own methods have, so that only the choice
            // differs
            boolean helped = preset == Preset.STANDARD && variant != Variant.KQ && variant.modelsRewards();
            return new Model(
                    new RewardModel.Settings(new Minibatches(30, 4), LEARNING_RATE, helped ? 15 : 0),
                    helped ? Learn.BEFORE : Learn.AFTER,
                    preset == Preset.PAPER ? Correction.PAPER : Correction.MATCHED);
        }
    }

    /**
     * {@return the {@linkplain Preset#STANDARD standard} settings of an algorithm whose rewards are known for every step}
     *
     * @param algorithm base and variant
     * @param seed keys every random number
     */
    public static TrainSettings defaults(Algorithm algorithm, long seed) {
        return defaults(Preset.STANDARD, algorithm, Grain.STEP, seed);
    }

    /**
     * {@return the default settings of an algorithm, with N = 64 and n = 8, or at most 8 where it decides how many}
     *
     * @param preset source of the default values
     * @param algorithm base and variant
     * @param grain what the oracle reports of an episode
     * @param seed keys every random number
     */
    public static TrainSettings defaults(Preset preset, Algorithm algorithm, Grain grain, long seed) {
        Pace pace = algorithm.variant().decidesHowMany() ? new Pace.Auto(Pace.Auto.MOST) : new Pace.Fixed(8);
        return new TrainSettings(
                algorithm,
                seed,
                new Networks(HiddenLayers.STANDARD, false),
                new Episodes(64, pace, grain, OnFailure.REWEIGHT),
                Advantage.defaults(preset, grain),
                Policy.defaults(algorithm.base()),
                new Baseline(preset == Preset.PAPER ? TEN_TIMES_FOUR : new Minibatches(10, 16), LEARNING_RATE),
                preset == Preset.PAPER ? TargetUnits.RAW : TargetUnits.STANDARDIZED,
                SelectionSettings.defaults(preset, algorithm.variant()),
                new DeepKernel.Settings(0, -2, 1, 64, kernelUpdates(preset), LEARNING_RATE),
                Model.defaults(preset, algorithm.variant()));
    }

    private static KernelUpdates kernelUpdates(Preset preset) {
        return preset == Preset.PAPER ? new KernelUpdates.Pass() : new KernelUpdates.Fixed(40);
    }

    /** {@return the number of episodes that an iteration samples: n for {@link Variant#SMALL}, otherwise N} */
    public int sampled() {
        return algorithm.variant() == Variant.SMALL ? episodes.select.most() : episodes.batch;
    }

    /** {@return the most episodes that an iteration evaluates: N for {@link Variant#LARGE}, otherwise n} */
    public int paid() {
        return algorithm.variant() == Variant.LARGE ? episodes.batch : episodes.select.most();
    }

    /** {@return the episodes that an iteration has to be able to evaluate} */
    public int needed() {
        return algorithm.variant() == Variant.LARGE ? episodes.batch : episodes.select.least();
    }

    /** {@return whether every iteration decides how many episodes it evaluates} */
    public boolean decidesHowMany() {
        return episodes.select instanceof Pace.Auto;
    }

    AdvantageForm correctionForm() {
        return model.correction == Correction.MATCHED ? advantage.estimator : AdvantageForm.E1;
    }

    Bootstrap bootstrap() {
        return new Bootstrap(advantage.estimator, advantage.discount);
    }

    Credit credit() {
        return new Credit(advantage.estimator, advantage.discount, advantage.stepDiscount);
    }

    /**
     * {@return these settings with another seed}
     *
     * @param other keys every random number
     */
    public TrainSettings withSeed(long other) {
        return new TrainSettings(
                algorithm, other, networks, episodes, advantage, policy, baseline, targets, selection, kernel, model);
    }

    /**
     * {@return these settings with N = {@code batch} and, if n is larger than that, n = {@code batch} too}
     *
     * @param batch N, episodes sampled per iteration
     * @throws IllegalArgumentException if the batch is below 1, or a kernel chooses from it and it exceeds
     *     {@link #LARGEST_KERNEL_BATCH}
     */
    public TrainSettings withBatch(int batch) {
        return withEpisodes(
                new Episodes(batch, episodes.select.atMost(Math.max(1, batch)), episodes.grain, episodes.onFailure));
    }

    /**
     * {@return these settings with n = {@code select}}
     *
     * @param select n, episodes evaluated per iteration
     * @throws IllegalArgumentException if n is below 1 or exceeds N
     */
    public TrainSettings withSelect(int select) {
        return withSelect(new Pace.Fixed(select));
    }

    /**
     * {@return these settings with another pace}
     *
     * @param pace how many episodes are evaluated per iteration
     * @throws IllegalArgumentException if they may be more than N, or the algorithm cannot decide how many
     */
    public TrainSettings withSelect(Pace pace) {
        return withEpisodes(new Episodes(episodes.batch, pace, episodes.grain, episodes.onFailure));
    }

    /**
     * {@return these settings with another reaction to failed evaluations}
     *
     * @param onFailure what to do when an evaluation fails
     */
    public TrainSettings withOnFailure(OnFailure onFailure) {
        return withEpisodes(new Episodes(episodes.batch, episodes.select, episodes.grain, onFailure));
    }

    /**
     * {@return these settings with another discount}
     *
     * @param discount γ
     * @throws IllegalArgumentException if the discount is not above 0 and at most 1, or if it is not 1 where an episode has a
     *     single reward and steps are not discounted
     */
    public TrainSettings withDiscount(double discount) {
        return withAdvantage(
                new Advantage(discount, advantage.estimator, advantage.stepDiscount, advantage.standardize));
    }

    /**
     * {@return these settings with other episode counts and rewards}
     *
     * @param other how many episodes an iteration samples and evaluates
     * @throws IllegalArgumentException if they do not fit the algorithm or the advantage
     */
    public TrainSettings withEpisodes(Episodes other) {
        return new TrainSettings(
                algorithm, seed, networks, other, advantage, policy, baseline, targets, selection, kernel, model);
    }

    /**
     * {@return these settings with other advantages}
     *
     * @param other how rewards become advantages
     * @throws IllegalArgumentException if an episode has a single reward and they do not fit it
     */
    public TrainSettings withAdvantage(Advantage other) {
        return new TrainSettings(
                algorithm, seed, networks, episodes, other, policy, baseline, targets, selection, kernel, model);
    }

    /**
     * {@return these settings with other networks of the policy and the value function}
     *
     * @param other their hidden layers
     */
    public TrainSettings withHidden(HiddenLayers other) {
        return withNetworks(new Networks(other, networks.normalizeObservations));
    }

    /**
     * {@return the same settings with or without normalised observations}
     *
     * @param normalized whether networks see observations in units of their running mean and deviation
     */
    public TrainSettings withNormalizedObservations(boolean normalized) {
        return withNetworks(new Networks(networks.hidden, normalized));
    }

    private TrainSettings withNetworks(Networks other) {
        return new TrainSettings(
                algorithm, seed, other, episodes, advantage, policy, baseline, targets, selection, kernel, model);
    }

    /** {@return the hidden layers of the policy and of the value function} */
    public HiddenLayers hidden() {
        return networks.hidden;
    }

    /**
     * {@return the normalisation of observations that networks share; it has seen nothing yet}
     *
     * @param spec sizes of the environment
     */
    public InputScale inputScale(EnvironmentSpec spec) {
        return networks.normalizeObservations ? new InputScale(spec.observationSize()) : InputScale.NONE;
    }

    /**
     * {@return these settings with other policy steps}
     *
     * @param other how the policy ascends
     */
    public TrainSettings withPolicy(Policy other) {
        return new TrainSettings(
                algorithm, seed, networks, episodes, advantage, other, baseline, targets, selection, kernel, model);
    }

    /**
     * {@return these settings with other fits of the value function}
     *
     * @param other how the value function is fitted
     */
    public TrainSettings withBaseline(Baseline other) {
        return new TrainSettings(
                algorithm, seed, networks, episodes, advantage, policy, other, targets, selection, kernel, model);
    }

    /**
     * {@return these settings with other units of the fits}
     *
     * @param other units in which the value function, the reward model and the kernel are fitted
     */
    public TrainSettings withTargets(TargetUnits other) {
        return new TrainSettings(
                algorithm, seed, networks, episodes, advantage, policy, baseline, other, selection, kernel, model);
    }

    /**
     * {@return these settings with another choice of episodes}
     *
     * @param other how a kernel chooses episodes
     */
    public TrainSettings withSelection(SelectionSettings other) {
        return new TrainSettings(
                algorithm, seed, networks, episodes, advantage, policy, baseline, targets, other, kernel, model);
    }

    /**
     * {@return these settings with another kernel between steps}
     *
     * @param other initial values of the kernel and how it learns
     */
    public TrainSettings withKernel(DeepKernel.Settings other) {
        return new TrainSettings(
                algorithm, seed, networks, episodes, advantage, policy, baseline, targets, selection, other, model);
    }

    /**
     * {@return these settings with another use of the reward model}
     *
     * @param other the reward model and how it is used
     */
    public TrainSettings withModel(Model other) {
        return new TrainSettings(
                algorithm, seed, networks, episodes, advantage, policy, baseline, targets, selection, kernel, other);
    }
}
