package dev.pgkq.train;

import dev.pgkq.credit.Credit;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.gp.FeatureGram;
import dev.pgkq.gradient.AdvantageEstimator;
import dev.pgkq.gradient.CalibratedWeights;
import dev.pgkq.gradient.CorrectedAdvantage;
import dev.pgkq.gradient.CorrectionWeights;
import dev.pgkq.gradient.EstimatedAdvantage;
import dev.pgkq.gradient.PlainAdvantage;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.kernel.StepCredits;
import dev.pgkq.kernel.StepFactors;
import dev.pgkq.model.BayesianRewardModel;
import dev.pgkq.model.Learner;
import dev.pgkq.model.ReturnModel;
import dev.pgkq.model.RewardModel;
import dev.pgkq.model.StepDescription;
import dev.pgkq.nn.HiddenLayers;
import dev.pgkq.nn.Regression;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.policy.ScoreProjection;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.select.EpisodeSelector;
import dev.pgkq.select.KernelSelector;
import dev.pgkq.select.PosteriorSelector;
import dev.pgkq.train.TrainSettings.Learn;
import java.util.Optional;
import java.util.function.Function;

/**
 * The stages between sampling and the policy step, in which the variants of the algorithms differ.
 *
 * @param selector chooses the episodes that are paid for
 * @param kernel the kernel that the selector uses; empty if it uses none
 * @param advantage turns the paid batch into weighted samples
 * @param baseline computes the targets that V is fitted to
 * @param learner learns from the paid rewards
 * @param learn when the learner learns
 */
public record Method(
        EpisodeSelector selector,
        Optional<EpisodicKernel> kernel,
        AdvantageEstimator advantage,
        BaselineTargets baseline,
        Learner learner,
        Learn learn) {

    /**
     * Composes the method of a variant: the table of variants.
     *
     * @param spec sizes of the environment
     * @param settings the algorithm and its settings
     * @param policy the live policy, whose scores the kernel may use
     * @param workers threads that the stages share; not closed by them
     * @return the method, with newly initialized models
     */
    public static Method compose(EnvironmentSpec spec, TrainSettings settings, Policy policy, Workers workers) {
        Parts parts = new Parts(spec, settings, policy, workers);
        return switch (settings.algorithm().variant()) {
            case SMALL, LARGE -> parts.plain(EpisodeSelector.all());
            case RANDOM -> parts.plain(parts.random());
            case KQ_NO_MEAN -> parts.returns();
            case KQ -> parts.quadrature(model -> CorrectionWeights.scaled(1));
            case KQ_PLUS -> parts.quadrature(model -> new CalibratedWeights(model::surprise));
            case KQ_BAYES -> parts.bayes(parts::posterior);
            case RANDOM_BAYES -> parts.bayes(belief -> parts.random());
            case RANDOM_MEAN -> parts.modelled(CorrectionWeights.scaled(1));
            case IMPUTE -> parts.modelled(CorrectionWeights.share());
            case MODEL_ONLY -> parts.modelled(CorrectionWeights.scaled(0));
        };
    }

    private record Parts(EnvironmentSpec spec, TrainSettings settings, Policy policy, Workers workers) {
        Method plain(EpisodeSelector selector) {
            return new Method(selector, Optional.empty(), plain(), paidReturns(), Learner.none(), Learn.AFTER);
        }

        Method returns() {
            DeepKernel kernel = kernel();
            EpisodicKernel episodic = episodic(kernel, Credit.Target.RETURNS, settings.credit());
            return new Method(
                    selector(episodic),
                    Optional.of(episodic),
                    plain(),
                    paidReturns(),
                    new ReturnModel(kernel, settings.bootstrap(), settings.seed()),
                    Learn.AFTER);
        }

        Method quadrature(Function<RewardModel, CorrectionWeights> weights) {
            DeepKernel kernel = kernel();
            RewardModel model = model(Optional.of(kernel));
            Credit ofCorrection = new Credit(
                    settings.correctionForm(),
                    settings.advantage().discount(),
                    settings.advantage().stepDiscount());
            Credit.Target target = switch (settings.episodes().grain()) {
                case STEP -> Credit.Target.REWARDS;
                case EPISODE -> Credit.Target.SUMS;
            };
            EpisodicKernel episodic = episodic(kernel, target, ofCorrection);
            return modelled(selector(episodic), Optional.of(episodic), model, weights.apply(model));
        }

        Method modelled(CorrectionWeights weights) {
            return modelled(random(), Optional.empty(), model(Optional.empty()), weights);
        }

        private Method modelled(
                EpisodeSelector selector,
                Optional<EpisodicKernel> kernel,
                RewardModel model,
                CorrectionWeights weights) {
            return new Method(
                    selector,
                    kernel,
                    new CorrectedAdvantage(
                            model,
                            settings.credit(),
                            settings.correctionForm(),
                            weights,
                            settings.advantage().standardize()),
                    BaselineTargets.estimatedReturns(paid -> model.predict(paid.allSteps()), settings.bootstrap()),
                    model,
                    settings.model().learn());
        }

        Method bayes(Function<BayesianRewardModel, EpisodeSelector> selector) {
            BayesianRewardModel belief = new BayesianRewardModel(
                    StepDescription.transition(spec.observationSize(), spec.encodedActionSize()),
                    settings.episodes().grain(),
                    settings.advantage().discount(),
                    settings.seed(),
                    workers);
            return new Method(
                    selector.apply(belief),
                    Optional.empty(),
                    estimated(belief),
                    BaselineTargets.estimatedReturns(belief, settings.bootstrap()),
                    belief,
                    Learn.BEFORE);
        }

        PosteriorSelector posterior(BayesianRewardModel belief) {
            return new PosteriorSelector(
                    belief,
                    new StepCredits(scores(), Credit.Target.REWARDS, settings.credit()),
                    settings.advantage().standardize(),
                    settings.episodes().select(),
                    estimated(belief)::weighted,
                    workers);
        }

        private EstimatedAdvantage estimated(BayesianRewardModel belief) {
            return new EstimatedAdvantage(
                    belief, settings.credit(), settings.advantage().standardize());
        }

        private StepFactors scores() {
            return StepFactors.scores(
                    new ScoreProjection(policy, settings.selection().scoreDimensions(), settings.seed(), workers));
        }

        EpisodeSelector random() {
            return EpisodeSelector.random(settings.episodes().select().most(), settings.seed());
        }

        private PlainAdvantage plain() {
            return new PlainAdvantage(settings.credit(), settings.advantage().standardize());
        }

        private BaselineTargets paidReturns() {
            return BaselineTargets.paidReturns(settings.bootstrap());
        }

        private int stepSize() {
            return spec.observationSize() + spec.encodedActionSize();
        }

        private DeepKernel kernel() {
            RandomStream random = RandomStream.of(settings.seed(), Purpose.KERNEL_INIT);
            return new DeepKernel(
                    stepSize(), policy.inputScale(), settings.kernel(), settings.targets(), random, workers);
        }

        private RewardModel model(Optional<DeepKernel> kernel) {
            RandomStream random = RandomStream.of(settings.seed(), Purpose.MEAN_INIT);
            Regression mean = new Regression(
                    stepSize(),
                    policy.inputScale(),
                    HiddenLayers.STANDARD,
                    settings.model().mean().learningRate(),
                    settings.targets(),
                    random,
                    workers);
            return new RewardModel(
                    mean,
                    kernel,
                    settings.model().mean(),
                    settings.episodes().grain(),
                    settings.advantage().discount(),
                    settings.advantage().stepDiscount(),
                    settings.seed());
        }

        private EpisodicKernel episodic(DeepKernel kernel, Credit.Target target, Credit credit) {
            SelectionSettings selection = settings.selection();
            StepFactors factors = switch (selection.kernel()) {
                case SCALAR -> StepFactors.ones();
                case SCORE -> scores();
            };
            EpisodicGram gram = switch (selection.gram()) {
                case EXACT -> new ExactGram();
                case FEATURES -> new FeatureGram(selection.gramFeatures(), settings.seed());
            };
            return new EpisodicKernel(
                    kernel,
                    new StepCredits(factors, target, credit),
                    // the shift of standardised advantages subtracts the mean score
                    selection.kernel() == SelectionSettings.Kernel.SCORE
                            && settings.advantage().standardize(),
                    gram,
                    selection.noise() == SelectionSettings.Noise.INCLUDE);
        }

        private KernelSelector selector(EpisodicKernel kernel) {
            return new KernelSelector(
                    kernel,
                    settings.selection().rule(),
                    settings.episodes().select().most(),
                    settings.seed());
        }
    }
}
