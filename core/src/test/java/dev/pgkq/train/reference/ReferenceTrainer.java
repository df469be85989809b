package dev.pgkq.train.reference;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.gp.KernelUpdates;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.SimplexWeights;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Grain;
import dev.pgkq.select.Pace;
import dev.pgkq.train.SelectionSettings;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.TrainSettings.Correction;
import dev.pgkq.train.TrainSettings.Learn;
import dev.pgkq.train.Variant;
import dev.pgkq.train.reference.PlainFunction.Target;
import dev.pgkq.train.reference.PlainPolicy.Sample;
import dev.pgkq.train.reference.Switches.Estimator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * One iteration after another of every algorithm, from the formulas of {@code docs/algorithms.md}. {@link #iterate} is the
 * paper's Algorithm 1 (small and large batch), 2 (Option 1) and 3 (Option 2), with our own variants:
 *
 * <pre>
 *                  chosen by     weights     model m   correction of m     V is fitted to
 *   small, large   all           1/N         –         –                   R of all
 *   random         chance        1/n         –         –                   R of the paid
 *   kq-no-mean     kernel of R   rule's      –         –                   R of the paid, with the weights
 *   kq             kernel of r   rule's      yes       rule's weights      R^ψ of all
 *   kq-plus        kernel of r   rule's      yes       calibrated weights  R^ψ of all
 *   kq-bayes       posterior     –           posterior true where paid     R̂ of all
 *   random-mean    chance        1/n         yes       1/n                 R^ψ of all
 *   impute         chance        1/n         yes       1/N                 R^ψ of all
 *   model-only     chance        1/n         yes       none                R^ψ of all
 * </pre>
 */
final class ReferenceTrainer {
    private final TrainSettings settings;
    private final Switches switches;
    private final Variant variant;
    private final boolean sums;
    private final double gamma;

    final PlainPolicy policy;
    final PlainFunction baseline;
    final PlainFunction mean;
    final PlainKernel kernel;
    final PlainBelief belief;

    /** The paid episodes of the last iterations, oldest iteration first. */
    private final List<List<Known>> memory = new ArrayList<>();

    /** Moving averages of Σ K_ij ⟨D_i, D_j⟩ and Σ K_ij² over pairs of paid episodes, in units of each iteration. */
    double pooledProducts;

    double pooledSquares;

    ReferenceTrainer(TrainSettings settings, Switches switches, int observations, ActionSpace space) {
        int actions = space.encodedSize();
        this.settings = settings;
        this.switches = switches;
        this.variant = settings.algorithm().variant();
        this.sums = settings.episodes().grain() == Grain.EPISODE;
        this.gamma = settings.advantage().discount();
        this.policy = new PlainPolicy(settings, observations, space);
        this.baseline = new PlainFunction(
                RandomStream.of(settings.seed(), Purpose.VALUE_INIT),
                settings.baseline().learningRate(),
                observations);
        this.mean = new PlainFunction(
                RandomStream.of(settings.seed(), Purpose.MEAN_INIT),
                settings.model().mean().learningRate(),
                observations + actions);
        this.kernel = new PlainKernel(
                settings.seed(), settings.kernel(), !switches.standardTargets(), observations + actions);
        this.belief = new PlainBelief(settings.seed(), 2 * observations + actions, sums, gamma);
    }

    /** Pays for an episode. */
    interface Oracle {
        /** {@return the reward of each step; empty if the evaluation failed} */
        Optional<double[]> rewards(int episode);
    }

    /**
     * The part of a choice that rounding decides.
     *
     * @param gram K of the batch as other code rounds it, from which to choose: rounding decides between points that are nearly
     *     equally good, and the order of the points; empty if there is none
     * @param order the episodes that kq-bayes chose elsewhere, which are chosen here, too, as long as none is better
     */
    record Hint(Optional<GramMatrix> gram, int... order) {}

    /**
     * The chosen episodes.
     *
     * @param points the episodes and their weights
     * @param gram K between all episodes; empty if no kernel chose
     */
    record Choice(WeightedPoints points, double[][] gram, Optional<Expectation> expectation) {
        Choice(WeightedPoints points, double[][] gram) {
            this(points, gram, Optional.empty());
        }
    }

    /**
     * What kq-bayes expects of its choice.
     *
     * @param errors κ E_S / M with 0, 1, 2 … of the chosen episodes; NaN while σ² is unknown
     * @param next κ E_S / M with one more; NaN if there is none
     * @param inflation κ
     * @param variances the expected square of the error in what each episode adds to the gradient, or of its number; empty while
     *     σ² is unknown
     * @param credits v of every step of every episode
     */
    record Expectation(double[] errors, double next, double inflation, double[] variances, List<double[][]> credits) {}

    /**
     * A paid episode.
     *
     * @param index its place in the batch
     * @param episode its steps
     * @param rewards r_t; if it has a single reward, that of the last step
     * @param weight w_i
     */
    private record Paid(int index, Trajectory episode, double[] rewards, double weight) {}

    /**
     * A paid episode that m learns from.
     *
     * @param importance the weight of each step's reward in the least squares, or of the sum
     */
    record Known(Trajectory episode, double[] rewards, double[] importance) {}

    /**
     * What an iteration computed.
     *
     * @param chosen by the selector
     * @param paid the weights of those that were paid for
     * @param samples of the policy step
     * @param step what it did
     * @param valueTargets of V
     * @param valueLoss of V
     * @param meanError of m before it learned; NaN without m
     * @param fit of the kernel; empty without one
     * @param expectedReturn the mean of Σ_t r̂_t over the batch; NaN without a belief
     */
    record Iteration(
            Choice chosen,
            WeightedPoints paid,
            List<Sample> samples,
            PlainPolicy.Step step,
            List<Target> valueTargets,
            double valueLoss,
            double meanError,
            Optional<PlainKernel.Fit> fit,
            double expectedReturn) {}

    /**
     * Runs an iteration.
     *
     * @param iteration 1, 2, …
     * @param batch the sampled episodes
     * @param oracle pays
     * @param hint what decides between choices that are nearly equally good
     * @param allowed the most episodes to pay for, where the algorithm decides how many
     */
    Iteration iterate(int iteration, List<Trajectory> batch, Oracle oracle, Hint hint, int allowed) {
        Choice choice = choose(batch, iteration, hint, allowed);
        List<Paid> paid = pay(batch, choice, oracle);
        if (switches.standardTargets()) {
            rescale(paid);
        }
        if (believes()) {
            belief.meet(batch);
            return believe(iteration, batch, choice, paid);
        }
        double[] surprise = residuals(paid);

        Lesson lesson = new Lesson(Double.NaN, Optional.empty());
        if (variant.modelsRewards() && settings.model().learn() == Learn.BEFORE) {
            lesson = learnRewards(paid, iteration);
        }
        List<Sample> samples = variant.modelsRewards()
                ? correctedSamples(batch, paid, correctionWeights(batch, choice, paid, surprise))
                : plainSamples(paid);
        PlainPolicy.Step step = policy.ascend(samples, iteration);

        List<Target> targets = variant.modelsRewards() ? modelledReturns(batch) : paidReturns(paid);
        double loss = fitBaseline(targets, iteration);

        if (variant.modelsRewards() && settings.model().learn() == Learn.AFTER) {
            lesson = learnRewards(paid, iteration);
        }
        if (variant == Variant.KQ_NO_MEAN) {
            lesson = learnReturns(paid, iteration);
        }
        return new Iteration(
                choice, weights(paid), samples, step, targets, loss, lesson.meanError, lesson.fit, Double.NaN);
    }

    private static WeightedPoints weights(List<Paid> paid) {
        return new WeightedPoints(
                paid.stream().mapToInt(Paid::index).toArray(),
                paid.stream().mapToDouble(Paid::weight).toArray());
    }

    private double fitBaseline(List<Target> targets, int iteration) {
        return baseline.fit(
                targets,
                Minibatch.shuffled(
                        settings.baseline().minibatches(),
                        targets.size(),
                        epoch -> RandomStream.of(settings.seed(), Purpose.VALUE_SHUFFLE, iteration, epoch)));
    }

    // ------------------------------------------------------------------------------------------------- kq-bayes

    /** Whether a belief about rewards estimates them. */
    private boolean believes() {
        return variant == Variant.KQ_BAYES || variant == Variant.RANDOM_BAYES;
    }

    /** The rest of an iteration of kq-bayes and its control: the large batch, with estimated rewards. */
    private Iteration believe(int iteration, List<Trajectory> batch, Choice choice, List<Paid> paid) {
        double error = learnBelief(choice.expectation, paid);
        List<Paid> all = new ArrayList<>();
        double expectedReturn = 0;
        for (int e = 0; e < batch.size(); e++) {
            double[] rewards = belief.rewards(batch.get(e));
            all.add(new Paid(e, batch.get(e), rewards, 1.0 / batch.size()));
            expectedReturn += Arrays.stream(rewards).sum() / batch.size();
        }
        for (Paid each : paid) {
            if (!sums) {
                all.set(each.index, new Paid(each.index, each.episode, each.rewards, 1.0 / batch.size()));
            }
        }
        List<Sample> samples = plainSamples(all);
        PlainPolicy.Step step = policy.ascend(samples, iteration);
        List<Target> targets = paidReturns(all);
        double loss = fitBaseline(targets, iteration);
        // without a forecast, the mean of the paid episodes is reported
        double shown = choice.expectation.isPresent() ? expectedReturn : Double.NaN;
        return new Iteration(choice, weights(paid), samples, step, targets, loss, error, Optional.empty(), shown);
    }

    /** {@return the root mean square of what was paid for, less what was expected; NaN if nothing was} */
    private double learnBelief(Optional<Expectation> expectation, List<Paid> paid) {
        double[] variances = expectation.map(Expectation::variances).orElse(new double[0]);
        double squares = 0;
        double expected = 0;
        List<Double> errors = new ArrayList<>();
        for (Paid each : paid) {
            if (variances.length > 0 && each.episode.length() > 0) {
                squares += belief.squaredError(
                        each.episode,
                        each.rewards,
                        expectation.orElseThrow().credits.get(each.index));
                expected += variances[each.index];
            }
            for (double error : belief.errors(each.episode, each.rewards)) {
                errors.add(error);
            }
        }
        if (expected > 0) {
            belief.calibrate(squares, expected, paid.size());
        }
        for (Paid each : paid) {
            belief.add(each.episode, each.rewards);
        }
        belief.condition();
        return Math.sqrt(
                errors.stream().mapToDouble(error -> error * error).average().orElse(Double.NaN));
    }

    /** Greedy: each time the episode with the least E_S. The pace decides how many. */
    private Choice chooseByBelief(List<Trajectory> batch, int iteration, Hint hint, int allowed) {
        belief.meet(batch);
        List<double[][]> factors = factors(batch);
        List<double[][]> v = factors.stream().map(this::credits).toList();
        PlainBelief.Uncertainty uncertainty = belief.new Uncertainty(batch, v);
        // NaN while σ² is unknown
        double unit = belief.inflation() * belief.noiseVariance() / samplingError(batch, factors);
        List<Integer> chosen = new ArrayList<>();
        List<Double> errors = new ArrayList<>();
        double now = uncertainty.error(chosen);
        double next = Double.NaN;
        errors.add(unit * now);
        while (chosen.size() < batch.size()) {
            List<Integer> with = new ArrayList<>(chosen);
            with.add(best(uncertainty.errorsWith(chosen), hint, chosen.size()));
            next = uncertainty.error(with);
            if (!another(chosen.size(), allowed, iteration, unit * now, 1 - next / now)) {
                break;
            }
            chosen = with;
            now = next;
            next = Double.NaN;
            errors.add(unit * now);
        }
        double[] variances = belief.knowsNoise()
                ? IntStream.range(0, batch.size())
                        .mapToDouble(uncertainty::variance)
                        .toArray()
                : new double[0];
        return new Choice(
                WeightedPoints.equal(chosen.stream().mapToInt(e -> e).toArray()),
                new double[0][],
                Optional.of(new Expectation(doubles(errors), unit * next, belief.inflation(), variances, v)));
    }

    /**
     * {@return the error of a choice, relative to that of the best one, up to which a hint decides} Where no A_e has a part in
     * the features of a last step, whose reward E2 cancels, an approximation of E_S ignores what that reward teaches.
     */
    private double nearly() {
        return switches.estimator() == Estimator.E2 ? 1.05 : 1.001;
    }

    /** {@return the episode with the least error} */
    private int best(double[] errors, Hint hint, int place) {
        int best = 0;
        for (int e = 1; e < errors.length; e++) {
            best = errors[e] < errors[best] ? e : best;
        }
        int other = place < hint.order.length ? hint.order[place] : best;
        return errors[other] <= nearly() * errors[best] ? other : best;
    }

    private boolean another(int chosen, int allowed, int iteration, double error, double gain) {
        if (settings.episodes().select() instanceof Pace.Fixed) {
            return chosen < settings.episodes().select().most();
        }
        if (chosen >= Math.min(settings.episodes().select().most(), allowed)) {
            return false;
        }
        boolean tooLarge = Double.isNaN(error) || error > 0.1;
        if (chosen == 0) {
            return tooLarge || iteration % 10 == 0;
        }
        return tooLarge && gain >= 0.3;
    }

    /** {@return M = N/(N−1) Σ_e ‖G_e − Ḡ‖², with the gradients that the estimated rewards give} */
    private double samplingError(List<Trajectory> batch, List<double[][]> x) {
        int dimensions = settings.selection().scoreDimensions();
        double[][] gradients = new double[batch.size()][dimensions];
        double[] mean = new double[dimensions];
        for (int e = 0; e < batch.size(); e++) {
            double[] advantages = advantages(batch.get(e), returns(belief.rewards(batch.get(e))));
            for (int d = 0; d < dimensions; d++) {
                for (int t = 0; t < advantages.length; t++) {
                    gradients[e][d] += g(t) * advantages[t] * x.get(e)[t][d];
                }
                mean[d] += gradients[e][d] / batch.size();
            }
        }
        double squares = 0;
        for (double[] gradient : gradients) {
            for (int d = 0; d < dimensions; d++) {
                squares += (gradient[d] - mean[d]) * (gradient[d] - mean[d]);
            }
        }
        return squares * batch.size() / (batch.size() - 1);
    }

    // ------------------------------------------------------------------------------------------------ choosing

    private Choice choose(List<Trajectory> batch, int iteration, Hint hint, int allowed) {
        RandomStream random = RandomStream.of(settings.seed(), Purpose.SELECTION, iteration);
        int n = settings.episodes().select().most();
        return switch (variant) {
            case KQ_BAYES -> chooseByBelief(batch, iteration, hint, allowed);
            case SMALL, LARGE -> new Choice(WeightedPoints.all(batch.size()), new double[0][]);
            case RANDOM, RANDOM_BAYES, RANDOM_MEAN, IMPUTE, MODEL_ONLY ->
                new Choice(WeightedPoints.equal(random.subset(batch.size(), n)), new double[0][]);
            case KQ_NO_MEAN, KQ, KQ_PLUS -> {
                SelectionSettings how = settings.selection();
                double[][] gram = gram(batch);
                GramMatrix matrix = hint.gram.orElseGet(() -> matrix(gram));
                yield new Choice(how.reweight().rule(how.quadrature()).choose(matrix, n, random), gram);
            }
        };
    }

    private static GramMatrix matrix(double[][] gram) {
        return GramMatrix.of(Arrays.stream(gram).flatMapToDouble(Arrays::stream).toArray());
    }

    /** K(e, e') = Σ_t Σ_u ⟨v_t, v'_u⟩ k(z_t, z'_u), with the noise of k on the diagonal or without. */
    private double[][] gram(List<Trajectory> batch) {
        int count = batch.size();
        double[][] gram = new double[count][count];
        List<double[][]> credits = credits(batch);
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                for (int t = 0; t < batch.get(i).length(); t++) {
                    double[] f = kernel.features(batch.get(i).z(t));
                    for (int u = 0; u < batch.get(j).length(); u++) {
                        double[] g = kernel.features(batch.get(j).z(u));
                        gram[i][j] += dot(credits.get(i)[t], credits.get(j)[u]) * kernel.smooth(f, g);
                    }
                }
            }
            if (settings.selection().noise() == SelectionSettings.Noise.INCLUDE) {
                gram[i][i] += kernel.noiseVariance() * noiseUnit(batch) * noise(credits.get(i));
            }
        }
        return gram;
    }

    /** {@return q: the variance that noise of variance 1 in every number of the oracle adds to K(e, e)} */
    private double noise(double[][] credits) {
        double sum = 0;
        for (int t = 0; t < credits.length; t++) {
            // one number for the episode, Σ_u γ^u r_u: its coefficient is that of r_0
            sum += sumsOfRewards() && t > 0 ? 0 : dot(credits[t], credits[t]);
        }
        return sum;
    }

    /** The kernel of sums is learned in units of the mean of Σ_t γ^t, and so is its noise. */
    private double noiseUnit(List<Trajectory> batch) {
        double unit = 0;
        for (Trajectory episode : batch) {
            for (int t = 0; t < episode.length(); t++) {
                unit += Math.pow(gamma, t) / batch.size();
            }
        }
        return sumsOfRewards() ? unit * unit : 1;
    }

    /** Whether the process models rewards of which only a sum per episode is known. */
    private boolean sumsOfRewards() {
        return sums && variant != Variant.KQ_NO_MEAN && variant != Variant.KQ_BAYES;
    }

    /** {@return v of every step of every episode: the coefficient of the process in Σ_t g_t x_t Â_t} */
    private List<double[][]> credits(List<Trajectory> batch) {
        List<double[][]> all = new ArrayList<>();
        List<double[][]> factors = factors(batch);
        for (int e = 0; e < batch.size(); e++) {
            all.add(credits(factors.get(e)));
        }
        return all;
    }

    private double[][] credits(double[][] x) {
        int length = x.length;
        if (length == 0) {
            return x;
        }
        int dimensions = x[0].length;
        double[][] c = new double[length][dimensions];
        double[][] v = new double[length][dimensions];
        boolean returns = variant == Variant.KQ_NO_MEAN;
        Estimator form = returns || variant == Variant.KQ_BAYES ? switches.estimator() : correctionForm();
        for (int d = 0; d < dimensions; d++) {
            // c = Aᵀ(g x): E2 subtracts Σ_t γ^{t₀−t} g_t x_t from the last step
            for (int t = 0; t < length; t++) {
                c[t][d] += g(t) * x[t][d];
                c[length - 1][d] -= form == Estimator.E2 ? Math.pow(gamma, length - 1 - t) * g(t) * x[t][d] : 0;
            }
            for (int u = 0; u < length; u++) {
                for (int t = 0; t < length; t++) {
                    if (sumsOfRewards()) {
                        v[u][d] += Math.pow(gamma, u) * x[t][d];
                    } else if (t <= u) {
                        v[u][d] += Math.pow(gamma, u - t) * c[t][d];
                    }
                }
            }
        }
        return returns ? c : v;
    }

    /** {@return x of every step: 1, or its projected score, less the mean score where the mean advantage is subtracted} */
    private List<double[][]> factors(List<Trajectory> batch) {
        SelectionSettings how = settings.selection();
        boolean scores = variant == Variant.KQ_BAYES || how.kernel() == SelectionSettings.Kernel.SCORE;
        List<double[][]> all = new ArrayList<>();
        double[] meanScore = new double[0];
        double total = 0;
        for (Trajectory episode : batch) {
            double[][] x = new double[episode.length()][];
            for (int t = 0; t < x.length; t++) {
                x[t] = scores
                        ? policy.projectedScore(episode.observations()[t], episode.actions()[t], how.scoreDimensions())
                        : new double[] {1};
                meanScore = meanScore.length == 0 ? new double[x[t].length] : meanScore;
                for (int d = 0; d < meanScore.length; d++) {
                    meanScore[d] += g(t) * x[t][d];
                }
                total += g(t);
            }
            all.add(x);
        }
        boolean centred = switches.centredScores() && settings.advantage().standardize() && scores;
        for (double[][] x : all) {
            for (double[] row : x) {
                for (int d = 0; centred && d < row.length; d++) {
                    row[d] -= meanScore[d] / total;
                }
            }
        }
        return all;
    }

    // -------------------------------------------------------------------------------------------------- paying

    /** Pays for the chosen episodes. Those whose rewards arrive get new weights if others are missing. */
    private static List<Paid> pay(List<Trajectory> batch, Choice choice, Oracle oracle) {
        List<Integer> arrived = new ArrayList<>();
        List<double[]> rewards = new ArrayList<>();
        for (int index : choice.points.indices()) {
            oracle.rewards(index).ifPresent(values -> {
                arrived.add(index);
                rewards.add(values);
            });
        }
        WeightedPoints points = choice.points;
        if (arrived.size() < points.size()) {
            int[] indices = arrived.stream().mapToInt(i -> i).toArray();
            points = choice.gram.length > 0
                    ? SimplexWeights.of(matrix(choice.gram), indices)
                    : WeightedPoints.equal(indices);
        }
        List<Paid> paid = new ArrayList<>();
        for (int i = 0; i < arrived.size(); i++) {
            paid.add(new Paid(arrived.get(i), batch.get(arrived.get(i)), rewards.get(i), points.weights()[i]));
        }
        return paid;
    }

    /** Updates offset and scale of V and m from the paid rewards. */
    private void rescale(List<Paid> paid) {
        rescaleBaseline(paid);
        if (variant.modelsRewards() && !believes()) {
            if (sums) {
                rescaleMeanToSums(paid);
            } else {
                rescaleMeanToRewards(paid);
            }
        }
    }

    /** The constant that is the mean of its own targets R_t + γ^{T−t} μ, and their variance. */
    private void rescaleBaseline(List<Paid> paid) {
        double returns = 0;
        double bootstraps = 0;
        int steps = 0;
        for (Paid each : paid) {
            double[] r = returns(each.rewards);
            for (int t = 0; t < r.length; t++) {
                returns += r[t];
                bootstraps += bootstrapFactor(each.episode, t);
                steps++;
            }
        }
        if (steps == 0) {
            return;
        }
        double offset = (returns / steps) / (1 - bootstraps / steps);
        double variance = 0;
        for (Paid each : paid) {
            double[] r = returns(each.rewards);
            for (int t = 0; t < r.length; t++) {
                double target = r[t] + bootstrapFactor(each.episode, t) * offset;
                variance += (target - offset) * (target - offset) / steps;
            }
        }
        baseline.rescale(offset, variance);
    }

    private void rescaleMeanToRewards(List<Paid> paid) {
        double[] rewards = paid.stream()
                .flatMapToDouble(each -> Arrays.stream(each.rewards))
                .toArray();
        if (rewards.length > 0) {
            double offset = Arrays.stream(rewards).average().orElseThrow();
            double variance = Arrays.stream(rewards)
                    .map(r -> (r - offset) * (r - offset))
                    .average()
                    .orElseThrow();
            mean.rescale(offset, variance);
        }
    }

    /** The constant reward whose discounted sums are closest to those of the episodes, and the squares that remain. */
    private void rescaleMeanToSums(List<Paid> paid) {
        double products = 0;
        double squares = 0;
        for (Paid each : paid) {
            double c = discounts(each.episode.length());
            products += c * discountedSum(each.rewards);
            squares += c * c;
        }
        if (squares > 0) {
            double offset = products / squares;
            double rest = 0;
            for (Paid each : paid) {
                double error = discountedSum(each.rewards) - offset * discounts(each.episode.length());
                rest += error * error;
            }
            mean.rescale(offset, rest / squares);
        }
    }

    /** {@return Σ_{t<T} γ^t} */
    private double discounts(int length) {
        double sum = 0;
        for (int t = 0; t < length; t++) {
            sum += Math.pow(gamma, t);
        }
        return sum;
    }

    // -------------------------------------------------------------------------------------- returns, advantages

    /** g_t: γ^t or 1. */
    private double g(int t) {
        return settings.advantage().stepDiscount() ? Math.pow(gamma, t) : 1;
    }

    /** {@return R_t = Σ_{u≥t} γ^{u−t} r_u} */
    private double[] returns(double[] rewards) {
        double[] returns = new double[rewards.length];
        for (int t = 0; t < rewards.length; t++) {
            for (int u = t; u < rewards.length; u++) {
                returns[t] += Math.pow(gamma, u - t) * rewards[u];
            }
        }
        return returns;
    }

    /** {@return Σ_u γ^u r_u} */
    private double discountedSum(double[] rewards) {
        return rewards.length == 0 ? 0 : returns(rewards)[0];
    }

    /** {@return m(z_t) of every step} */
    private double[] expectedRewards(Trajectory episode) {
        double[] expected = new double[episode.length()];
        for (int t = 0; t < expected.length; t++) {
            expected[t] = mean.at(episode.z(t));
        }
        return expected;
    }

    private double bootstrapFactor(Trajectory episode, int t) {
        boolean bootstrapped = switches.estimator() == Estimator.BOOTSTRAP && episode.truncated();
        return bootstrapped ? Math.pow(gamma, episode.length() - t) : 0;
    }

    /** {@return b_t = γ^{T−t} V(s_T) if the time limit ended the episode and the estimator bootstraps, otherwise 0} */
    private double bootstrap(Trajectory episode, int t) {
        double factor = bootstrapFactor(episode, t);
        return factor == 0 ? 0 : factor * baseline.at(episode.last());
    }

    /** {@return Â_t of every step, from the returns of its episode} */
    private double[] advantages(Trajectory episode, double[] returns) {
        double[] differences = new double[returns.length];
        for (int t = 0; t < returns.length; t++) {
            differences[t] = returns[t] + bootstrap(episode, t) - baseline.at(episode.observations()[t]);
        }
        return formed(switches.estimator(), differences);
    }

    /** {@return what the estimator makes of differences of returns: E2 subtracts γ^{t₀−t} times the last one} */
    private double[] formed(Estimator form, double[] differences) {
        double[] formed = differences.clone();
        int last = formed.length - 1;
        for (int t = 0; form == Estimator.E2 && t <= last; t++) {
            formed[t] -= Math.pow(gamma, last - t) * differences[last];
        }
        return formed;
    }

    /** {@return the form in which errors of m are corrected} */
    private Estimator correctionForm() {
        return settings.model().correction() == Correction.MATCHED ? switches.estimator() : Estimator.E1;
    }

    // -------------------------------------------------------------------------------------------------- samples

    /**
     * A sample before advantages are standardized: its coefficient is weight times advantage.
     *
     * @param episode its episode
     * @param t its step
     * @param weight of the step
     * @param advantage of the step
     */
    private record Part(Trajectory episode, int t, double weight, double advantage) {
        Sample sample(double shift, double unit) {
            return new Sample(
                    episode.observations()[t],
                    episode.actions()[t],
                    episode.logProbs()[t],
                    weight * (advantage - shift) / unit);
        }
    }

    /** w_i g_t Â_t for every step of the paid episodes. */
    private List<Sample> plainSamples(List<Paid> paid) {
        List<Part> parts = new ArrayList<>();
        for (Paid each : paid) {
            double[] advantages = advantages(each.episode, returns(each.rewards));
            for (int t = 0; t < advantages.length; t++) {
                parts.add(new Part(each.episode, t, each.weight * g(t), advantages[t]));
            }
        }
        return standardized(parts, List.of());
    }

    /**
     * Term II: (1/N) g_t (R^ψ_t − V(s_t)), in the form of the estimator, for every step of all episodes. Term I:
     * w_i g_t (R_t − R^ψ_t), in the form of the correction, for every step of the paid episodes. If an episode has a single
     * reward S, the error of m in the whole sum, γ^{t₀} S − Σ_u γ^u m(z_u), takes the place of g_t (R_t − R^ψ_t).
     */
    private List<Sample> correctedSamples(List<Trajectory> batch, List<Paid> paid, double[] weights) {
        List<Part> second = new ArrayList<>();
        for (Trajectory episode : batch) {
            double[] advantages = advantages(episode, returns(expectedRewards(episode)));
            for (int t = 0; t < advantages.length; t++) {
                second.add(new Part(episode, t, g(t) / batch.size(), advantages[t]));
            }
        }
        List<Part> first = new ArrayList<>();
        for (int i = 0; i < paid.size(); i++) {
            Trajectory episode = paid.get(i).episode;
            double[] real = returns(paid.get(i).rewards);
            double[] expected = returns(expectedRewards(episode));
            double[] errors = new double[real.length];
            for (int t = 0; t < errors.length; t++) {
                errors[t] = real[t] - expected[t];
            }
            double[] corrections = formed(correctionForm(), errors);
            for (int t = 0; t < errors.length; t++) {
                first.add(
                        sums
                                ? new Part(episode, t, weights[i], errors[0])
                                : new Part(episode, t, weights[i] * g(t), corrections[t]));
            }
        }
        boolean corrected = Arrays.stream(weights).anyMatch(weight -> weight != 0);
        return standardized(second, corrected ? first : List.of());
    }

    /**
     * Shifts the advantages of {@code parts} so that those of both lists have mean 0 together, and scales both so that
     * {@code parts} has variance 1.
     */
    private List<Sample> standardized(List<Part> parts, List<Part> corrections) {
        double shift = 0;
        double unit = 1;
        if (settings.advantage().standardize()) {
            double total = 0;
            double sum = 0;
            double squares = 0;
            for (Part part : parts) {
                total += part.weight;
                sum += part.weight * part.advantage;
                squares += part.weight * part.advantage * part.advantage;
            }
            for (Part part : corrections) {
                sum += part.weight * part.advantage;
            }
            shift = sum / total;
            double variance = 0;
            for (Part part : parts) {
                variance += part.weight * (part.advantage - shift) * (part.advantage - shift) / total;
            }
            // advantages that are equal up to rounding become 0
            boolean equal = Math.sqrt(variance) <= 1e-12 * Math.sqrt(squares / total);
            unit = equal ? Double.POSITIVE_INFINITY : Math.sqrt(variance);
        }
        List<Sample> samples = new ArrayList<>();
        for (Part part : parts) {
            samples.add(part.sample(shift, unit));
        }
        for (Part part : corrections) {
            samples.add(part.sample(0, Double.isInfinite(unit) ? 1 : unit));
        }
        return samples;
    }

    // ---------------------------------------------------------------------------------- weights of the correction

    private double[] correctionWeights(List<Trajectory> batch, Choice choice, List<Paid> paid, double[] surprise) {
        double[] weights = paid.stream().mapToDouble(Paid::weight).toArray();
        return switch (variant) {
            case MODEL_ONLY -> new double[weights.length];
            case IMPUTE ->
                Arrays.stream(weights)
                        .map(weight -> weight * paid.size() / batch.size())
                        .toArray();
            case KQ_PLUS -> calibrated(batch, choice.gram, paid, surprise);
            default -> weights;
        };
    }

    /**
     * The weights ≥ 0 that minimize the expected squared error if errors of m in gradients of episodes have the covariance
     * E⟨D_i, D_j⟩ = s² K_ij + τ² q_i δ_ij. Only the ratio of s² to τ² matters. K and D are in units in which Σ K_ii = 1 and
     * Σ ‖D_i‖² = 1 over the paid episodes; then s² + τ² Σ q_i = 1.
     *
     * @param surprise r − m of the paid steps, before m learned from them
     */
    private double[] calibrated(List<Trajectory> batch, double[][] gram, List<Paid> paid, double[] surprise) {
        int n = paid.size();
        if (n == batch.size()) {
            return paid.stream().mapToDouble(Paid::weight).toArray();
        }
        List<double[][]> credits = credits(batch);
        double structure = 0;
        double noise = 0;
        for (Paid each : paid) {
            structure += gram[each.index][each.index];
            noise += noise(credits.get(each.index));
        }
        pool(gram, credits, paid, structure, surprise);
        double share = pooledSquares > 0 ? Math.max(0, Math.min(1, pooledProducts / pooledSquares)) : 1;
        double[][] matrix = new double[n][n];
        double[] means = new double[n];
        for (int a = 0; a < n; a++) {
            int i = paid.get(a).index;
            double own = (1 - share) * noise(credits.get(i)) / noise;
            for (int b = 0; b < n; b++) {
                matrix[a][b] = share * gram[i][paid.get(b).index] / structure + (a == b ? own : 0);
            }
            means[a] = own / batch.size();
            for (int j = 0; j < batch.size(); j++) {
                means[a] += share * gram[i][j] / structure / batch.size();
            }
        }
        return nonnegativeMinimum(matrix, means);
    }

    /** s² = Σ_{i≠j} K_ij ⟨D_i, D_j⟩ / Σ_{i≠j} K_ij²: numerator and denominator are pooled over iterations. */
    private void pool(double[][] gram, List<double[][]> credits, List<Paid> paid, double structure, double[] surprise) {
        List<double[]> errors = new ArrayList<>();
        double square = 0;
        int at = 0;
        int dimensions = credits.stream()
                .filter(v -> v.length > 0)
                .mapToInt(v -> v[0].length)
                .findFirst()
                .orElse(0);
        for (Paid each : paid) {
            double[][] v = credits.get(each.index);
            double[] error = new double[dimensions];
            for (double[] row : v) {
                for (int d = 0; d < error.length; d++) {
                    error[d] += row[d] * surprise[at];
                }
                at++;
            }
            errors.add(error);
            square += dot(error, error);
        }
        double products = 0;
        double squares = 0;
        for (int a = 0; a < paid.size(); a++) {
            for (int b = a + 1; b < paid.size(); b++) {
                double k = gram[paid.get(a).index][paid.get(b).index] / structure;
                products += k * dot(errors.get(a), errors.get(b)) / square;
                squares += k * k;
            }
        }
        if (paid.size() < 2 || !(square > 0)) {
            return;
        }
        if (pooledSquares == 0) {
            // full trust in the kernel
            pooledProducts = squares;
            pooledSquares = squares;
        }
        pooledProducts = 0.8 * pooledProducts + 0.2 * products;
        pooledSquares = 0.8 * pooledSquares + 0.2 * squares;
    }

    /** {@return the minimum of wᵀ A w − 2 bᵀ w over w ≥ 0, found by trying all sets of positive weights} */
    private static double[] nonnegativeMinimum(double[][] a, double[] b) {
        double[] best = new double[b.length];
        double least = 0;
        for (int set = 1; set < 1 << b.length; set++) {
            int[] places = places(set);
            double[][] matrix = new double[places.length][places.length];
            double[] target = new double[places.length];
            for (int i = 0; i < places.length; i++) {
                target[i] = b[places[i]];
                for (int j = 0; j < places.length; j++) {
                    matrix[i][j] = a[places[i]][places[j]];
                }
            }
            double[] solution = PositiveDefinite.of(matrix)
                    .map(decomposed -> decomposed.solve(target))
                    .orElseGet(() -> new double[] {-1});
            // at the minimum over a set, the value is −bᵀ w
            double value = -dot(solution, Arrays.copyOf(target, solution.length));
            if (value < least && Arrays.stream(solution).allMatch(weight -> weight >= 0)) {
                least = value;
                best = new double[b.length];
                for (int i = 0; i < places.length; i++) {
                    best[places[i]] = solution[i];
                }
            }
        }
        return best;
    }

    private static int[] places(int set) {
        return IntStream.range(0, Integer.SIZE).filter(i -> (set >> i & 1) == 1).toArray();
    }

    // ------------------------------------------------------------------------------------------------- learning

    /** R_t + b_t of the paid episodes, with their weights. */
    private List<Target> paidReturns(List<Paid> paid) {
        List<Target> targets = new ArrayList<>();
        for (Paid each : paid) {
            double[] returns = returns(each.rewards);
            for (int t = 0; t < returns.length; t++) {
                double value = returns[t] + bootstrap(each.episode, t);
                targets.add(Target.of(each.episode.observations()[t], value, each.weight));
            }
        }
        return targets;
    }

    /** R^ψ_t + b_t of all episodes, with weight 1/N. */
    private List<Target> modelledReturns(List<Trajectory> batch) {
        List<Target> targets = new ArrayList<>();
        for (Trajectory episode : batch) {
            double[] returns = returns(expectedRewards(episode));
            for (int t = 0; t < returns.length; t++) {
                double value = returns[t] + bootstrap(episode, t);
                targets.add(Target.of(episode.observations()[t], value, 1.0 / batch.size()));
            }
        }
        return targets;
    }

    /** {@return the paid episodes that the next iteration will learn from again} */
    List<Known> remembered() {
        int iterations = settings.model().mean().memory();
        return memory.stream()
                .skip(Math.max(0, memory.size() - iterations))
                .flatMap(List::stream)
                .toList();
    }

    private record Lesson(double meanError, Optional<PlainKernel.Fit> fit) {}

    /** Option 1: the kernel learns from R_t + b_t − V(s_t) of the paid steps. */
    private Lesson learnReturns(List<Paid> paid, int iteration) {
        if (awaitsUnit(paid)) {
            return new Lesson(Double.NaN, Optional.of(PlainKernel.Fit.NONE));
        }
        List<double[]> steps = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (Paid each : paid) {
            double[] returns = returns(each.rewards);
            for (int t = 0; t < returns.length; t++) {
                steps.add(each.episode.z(t));
                values.add(returns[t]
                        + bootstrap(each.episode, t)
                        - baseline.at(each.episode.observations()[t]));
            }
        }
        RandomStream random = RandomStream.of(settings.seed(), Purpose.KERNEL_SHUFFLE, iteration);
        return new Lesson(Double.NaN, Optional.of(kernel.fit(steps, doubles(values), random)));
    }

    /**
     * Whether raw residuals have no unit yet. While all rewards are 0, residuals are what the start values of V or m leave, and
     * the kernel does not start from them.
     */
    private boolean awaitsUnit(List<Paid> paid) {
        boolean nothingPaid =
                paid.stream().allMatch(each -> Arrays.stream(each.rewards).allMatch(r -> r == 0));
        return !switches.standardTargets() && !kernel.network.hasLearned() && nothingPaid;
    }

    /** Option 2: m learns from the paid rewards, then the kernel from what m leaves. */
    private Lesson learnRewards(List<Paid> paid, int iteration) {
        List<Known> fresh = new ArrayList<>();
        for (Paid each : paid) {
            // a paid episode without weight counts as half of an equal share
            double weight = each.weight > 0 ? each.weight : 0.5 / paid.size();
            fresh.add(new Known(each.episode, each.rewards, importance(each.episode.length(), weight)));
        }
        double error = meanError(fresh, residuals(paid));
        memory.add(fresh);
        if (memory.size() > settings.model().mean().memory() + 1) {
            memory.removeFirst();
        }
        List<Known> known = memory.stream().flatMap(List::stream).toList();
        int oldEpisodes = known.size() - fresh.size();
        int oldSteps = known.stream()
                .limit(oldEpisodes)
                .mapToInt(each -> each.episode.length())
                .sum();

        List<Target> targets = new ArrayList<>();
        for (Known each : known) {
            targets.addAll(sums ? List.of(sumTarget(each)) : stepTargets(each));
        }
        int old = sums ? oldEpisodes : oldSteps;
        IntFunction<int[]> orders = epoch -> newAndOld(
                old, targets.size(), RandomStream.of(settings.seed(), Purpose.MEAN_SHUFFLE, iteration, epoch));
        mean.fit(targets, Minibatch.of(settings.model().mean().minibatches(), orders));

        Optional<PlainKernel.Fit> fit = Optional.empty();
        if (variant.choosesByKernel()) {
            RandomStream random = RandomStream.of(settings.seed(), Purpose.KERNEL_SHUFFLE, iteration);
            PlainKernel.Fit done = awaitsUnit(paid)
                    ? PlainKernel.Fit.NONE
                    : sums ? fitKernelToSums(known, random) : fitKernelToSteps(targets, random);
            fit = Optional.of(done);
        }
        return new Lesson(error, fit);
    }

    /**
     * The weight of each reward in the least squares of m: w_i times its coefficient in Σ_t g_t R_t. A sum counts at each of
     * the T steps.
     */
    private double[] importance(int length, double weight) {
        double[] importance = new double[length];
        for (int t = 0; t < length; t++) {
            for (int u = 0; u <= t; u++) {
                importance[t] += weight * g(u) * Math.pow(gamma, t - u);
            }
        }
        for (int t = 0; sums && t < length; t++) {
            importance[t] = t < length - 1 ? 0 : weight * length;
        }
        return importance;
    }

    private static List<Target> stepTargets(Known known) {
        List<Target> targets = new ArrayList<>();
        for (int t = 0; t < known.rewards.length; t++) {
            targets.add(Target.of(known.episode.z(t), known.rewards[t], known.importance[t]));
        }
        return targets;
    }

    /** Σ_t γ^t m(z_t) against γ^{t₀} S. */
    private Target sumTarget(Known known) {
        int length = known.rewards.length;
        List<double[]> inputs = new ArrayList<>();
        double[] coefficients = new double[length];
        for (int t = 0; t < length; t++) {
            inputs.add(known.episode.z(t));
            coefficients[t] = Math.pow(gamma, t);
        }
        double weight = length == 0 ? 0 : known.importance[length - 1];
        return new Target(inputs, coefficients, discountedSum(known.rewards), weight);
    }

    /** All new samples and as many old ones, drawn at random if there are more of them; shuffled. */
    private static int[] newAndOld(int old, int all, RandomStream random) {
        List<Integer> order = new ArrayList<>();
        for (int i = old; i < all; i++) {
            order.add(i);
        }
        int fresh = all - old;
        for (int i = 0; i < Math.min(old, fresh); i++) {
            order.add(old <= fresh ? i : random.nextInt(old));
        }
        int[] shuffled = order.stream().mapToInt(i -> i).toArray();
        random.shuffle(shuffled);
        return shuffled;
    }

    /** {@return r − m of the paid steps; for a single reward of an episode S − Σ_u γ^{u−t₀} m(z_u), on the last step} */
    private double[] residuals(List<Paid> paid) {
        List<Double> residuals = new ArrayList<>();
        for (Paid each : paid) {
            double[] expected = expectedRewards(each.episode);
            int last = expected.length - 1;
            for (int t = 0; t <= last; t++) {
                double ofStep = each.rewards[t] - expected[t];
                double ofSum = t < last ? 0 : each.rewards[last] - discountedSum(expected) / Math.pow(gamma, last);
                residuals.add(sums ? ofSum : ofStep);
            }
        }
        return doubles(residuals);
    }

    /** {@return the root of the weighted mean square of the residuals} */
    private static double meanError(List<Known> known, double[] residuals) {
        double squares = 0;
        double total = 0;
        int at = 0;
        for (Known each : known) {
            for (double importance : each.importance) {
                squares += importance * residuals[at] * residuals[at];
                total += importance;
                at++;
            }
        }
        return Math.sqrt(squares / total);
    }

    /** The likelihood of r − m at steps of the known episodes, as many as the minibatches use. */
    private PlainKernel.Fit fitKernelToSteps(List<Target> known, RandomStream random) {
        int most = switch (settings.kernel().updates()) {
            case KernelUpdates.Fixed(int count) -> settings.kernel().points() * count;
            case KernelUpdates.Pass pass -> known.size();
        };
        List<double[]> steps = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (int index : random.subset(known.size(), most)) {
            Target target = known.get(index);
            steps.add(target.inputs().getFirst());
            values.add(target.value() - mean.sum(target));
        }
        return kernel.fit(steps, doubles(values), random);
    }

    /** The likelihood of γ^{t₀} S − Σ_t γ^t m(z_t) of the known episodes. */
    private PlainKernel.Fit fitKernelToSums(List<Known> known, RandomStream random) {
        List<List<double[]>> steps = new ArrayList<>();
        List<double[]> coefficients = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (Known each : known) {
            Target target = sumTarget(each);
            steps.add(target.inputs());
            coefficients.add(target.coefficients());
            values.add(target.value() - mean.sum(target));
        }
        return kernel.fitSums(steps, coefficients, doubles(values), random);
    }

    private static double[] doubles(List<Double> values) {
        return values.stream().mapToDouble(value -> value).toArray();
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
