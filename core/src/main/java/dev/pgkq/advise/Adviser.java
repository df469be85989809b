package dev.pgkq.advise;

import dev.pgkq.bayes.ProjectedFeatures;
import dev.pgkq.bayes.StepFeatures;
import dev.pgkq.episode.Steps;
import dev.pgkq.model.BayesianRewardModel;
import dev.pgkq.model.BayesianRewardModel.Predicted;
import dev.pgkq.model.StepDescription;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.SimplexWeights;
import dev.pgkq.reward.Grain;
import dev.pgkq.select.ItemSelector;
import dev.pgkq.select.Pace;
import dev.pgkq.state.Snapshot;
import dev.pgkq.text.Require;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says which of many items to score, and estimates the rewards of all of them from the scores of these few and of all rounds before.
 * It is the reward model of {@code kq-bayes}, with {@linkplain ProjectedFeatures features} for few scores and many inputs, and its
 * choice, for those who have a training loop of their own:
 *
 * <pre>
 *   Choice choice = adviser.ask(items);
 *   List&lt;Told&gt; scores = …                          // the only expensive line
 *   Estimates rewards = adviser.tell(choice, scores);
 * </pre>
 *
 * <p>The same calls in the same order give the same bits, on any number of threads. An adviser is used by one thread at a time.
 */
public final class Adviser {
    private static final String WIDTH = "advise/width";
    private static final String GRAIN = "advise/grain";
    private static final String SEED = "advise/seed";
    private static final String ROUND = "advise/round";

    private final AdviserSettings settings;
    private final Workers workers;
    private final BayesianRewardModel model;
    private final ItemSelector selector;
    private int round;

    /**
     * Creates an adviser that knows nothing.
     *
     * @param settings width, grain, pace and seed
     * @param workers share the work; results do not depend on their number
     */
    public Adviser(AdviserSettings settings, Workers workers) {
        this.settings = settings;
        this.workers = workers;
        StepFeatures features = new ProjectedFeatures(settings.width(), BayesianRewardModel.FEATURES, settings.seed());
        StepDescription described = StepDescription.features(settings.width());
        this.model = new BayesianRewardModel(described, features, true, settings.grain(), 1, workers);
        this.selector = new ItemSelector(model, settings.seed(), workers);
    }

    /** {@return the settings} */
    public AdviserSettings settings() {
        return settings;
    }

    /**
     * Chooses items to score, as many as the settings say, and counts the round.
     *
     * @param items of the next round
     * @return the choice
     * @throws IllegalArgumentException if steps are described by another number of features than the settings say
     */
    public Choice ask(Items items) {
        return ask(items, Ask.of(settings.pace(), ++round));
    }

    /**
     * Chooses items to score. What is believed does not change, except that the units of features are taken from the first items.
     *
     * @param items of a round
     * @param how how many, and which of them may be chosen
     * @return the choice
     * @throws IllegalArgumentException if steps are described by another number of features than the settings say, or a place is not that
     *     of an item
     */
    public Choice ask(Items items, Ask how) {
        require(items);
        for (int[] places : new int[][] {how.known(), how.kept(), how.excluded()}) {
            Arrays.stream(places).forEach(place -> requirePlace(items, place));
        }
        Pace pace = how.pace() instanceof Pace.Auto auto
                ? auto.atMost(Math.max(1, items.size() / AdviserSettings.AUTO_SHARE))
                : how.pace();
        ItemSelector.Chosen chosen = selector.select(
                items.steps(),
                items.projections(),
                new ItemSelector.Request(pace, how.round(), how.known(), how.kept(), how.excluded()));
        return new Choice(
                items,
                how.round(),
                chosen.indices(),
                chosen.indices().length == 0
                        ? new double[0]
                        : SimplexWeights.nearest(chosen.inner(), chosen.indices().length),
                totals(items),
                Math.sqrt(chosen.before()),
                Math.sqrt(chosen.after()),
                Math.sqrt(chosen.random()),
                chosen.variances());
    }

    /**
     * Learns the scores of a choice and estimates the rewards of all its items. It is called once for a choice.
     *
     * @param choice what was asked for
     * @param scores of items of the choice, all or some; the others were given up
     * @return the estimates
     * @throws IllegalArgumentException if an item was not asked for or occurs twice, or a score is not finite or of the wrong length
     */
    public Estimates tell(Choice choice, List<Told> scores) {
        List<Told> told = inOrder(choice, scores);
        learn(choice.items(), told, predicted(choice, told));
        return estimates(choice, told);
    }

    /**
     * Learns scores that were not asked for, or that come late. What the model says of its own errors is not judged by them.
     *
     * @param items of a round
     * @param scores of some of them
     * @throws IllegalArgumentException if an item occurs twice, or a score is not finite or of the wrong length
     */
    public void learn(Items items, List<Told> scores) {
        require(items);
        requireScores(items, scores);
        learn(items, scores, Optional.empty());
    }

    /**
     * Estimates what {@link #tell} would return, without learning.
     *
     * @param choice what was asked for
     * @param scores of items of the choice, all or some
     * @return the estimates
     * @throws IllegalArgumentException if an item was not asked for or occurs twice, or a score is not finite or of the wrong length
     */
    public Estimates estimate(Choice choice, List<Told> scores) {
        BayesianRewardModel.Learned before = model.learned();
        try {
            return tell(choice, scores);
        } finally {
            model.returnTo(before);
        }
    }

    private void learn(Items items, List<Told> scores, Optional<Predicted> predicted) {
        if (scores.isEmpty()) {
            return;
        }
        int[] told = scores.stream().mapToInt(Told::item).toArray();
        if (predicted.isPresent()) {
            model.learn(items.steps(), told, rewards(items, scores), predicted);
        } else {
            model.learnOnly(items.steps(), told, rewards(items, scores));
        }
    }

    /** What the model said of the told items before. */
    private Optional<Predicted> predicted(Choice choice, List<Told> told) {
        if (choice.variances().length == 0 || told.isEmpty()) {
            return Optional.empty();
        }
        double[] variances = told.stream()
                .mapToDouble(each -> choice.variances()[place(choice, each.item())])
                .toArray();
        if (settings.grain() == Grain.EPISODE) {
            return Optional.of(Predicted.ofScores(variances));
        }
        Items items = choice.items();
        int dimensions = ItemSelector.dimensions(items.steps(), items.projections());
        float[] all = selector.credits(items.steps(), items.projections(), choice.round());
        int steps = told.stream().mapToInt(each -> items.length(each.item())).sum();
        float[] credits = new float[steps * dimensions];
        int at = 0;
        for (Told each : told) {
            int count = items.length(each.item()) * dimensions;
            System.arraycopy(all, items.starts()[each.item()] * dimensions, credits, at, count);
            at += count;
        }
        return Optional.of(new Predicted(variances, credits, dimensions));
    }

    private Estimates estimates(Choice choice, List<Told> told) {
        Items items = choice.items();
        double[] mean = totals(items);
        double[] deviation = Arrays.stream(model.variances(items.steps(), false))
                .map(Math::sqrt)
                .toArray();
        double[] corrected = choice.predicted().clone();
        double[] weights = weights(choice, told);
        for (int i = 0; i < told.size(); i++) {
            int item = told.get(i).item();
            double score = Arrays.stream(told.get(i).values()).sum();
            corrected[item] += items.size() * weights[i] * (score - choice.predicted()[item]);
            if (settings.grain() == Grain.STEP) {
                mean[item] = score;
                deviation[item] = 0;
            }
        }
        return new Estimates(mean, deviation, corrected);
    }

    /** The weights of the told items; those of items that were given up go to the others, in proportion. */
    private static double[] weights(Choice choice, List<Told> told) {
        double[] weights = told.stream()
                .mapToDouble(each -> choice.weights()[place(choice, each.item())])
                .toArray();
        double sum = Arrays.stream(weights).sum();
        return Arrays.stream(weights)
                .map(weight -> sum > 0 ? weight / sum : 1.0 / weights.length)
                .toArray();
    }

    private double[] totals(Items items) {
        Steps steps = items.steps();
        double[] expected = model.expected(steps);
        double[] totals = new double[items.size()];
        for (int item = 0; item < totals.length; item++) {
            for (int i = steps.start(item); i < steps.start(item + 1); i++) {
                totals[item] += expected[i];
            }
        }
        return totals;
    }

    /** The reward of every step; where an item has one score, it comes with the last step. */
    private static double[] rewards(Items items, List<Told> scores) {
        double[] rewards = new double
                [scores.stream().mapToInt(each -> items.length(each.item())).sum()];
        int at = 0;
        for (Told each : scores) {
            at += items.length(each.item());
            System.arraycopy(each.values(), 0, rewards, at - each.values().length, each.values().length);
        }
        return rewards;
    }

    /** The scores in the order of the choice. */
    private List<Told> inOrder(Choice choice, List<Told> scores) {
        require(choice.items());
        for (Told each : scores) {
            requirePlace(choice.items(), each.item());
            Require.that(place(choice, each.item()) >= 0, "item " + each.item() + " was not asked for");
        }
        requireScores(choice.items(), scores);
        return scores.stream()
                .sorted((a, b) -> Integer.compare(place(choice, a.item()), place(choice, b.item())))
                .toList();
    }

    private static int place(Choice choice, int item) {
        for (int i = 0; i < choice.size(); i++) {
            if (choice.indices()[i] == item) {
                return i;
            }
        }
        return -1;
    }

    private void require(Items items) {
        Require.that(
                items.width() == settings.width(),
                "expected " + settings.width() + " features for each step, as before, got " + items.width());
    }

    private static void requirePlace(Items items, int place) {
        Require.that(
                place >= 0 && place < items.size(),
                "there is no item " + place + " among the " + items.size() + " of the round");
    }

    private void requireScores(Items items, List<Told> scores) {
        Set<Integer> seen = new HashSet<>();
        for (Told each : scores) {
            requirePlace(items, each.item());
            Require.that(seen.add(each.item()), "item " + each.item() + " has two scores");
            int needed = settings.grain() == Grain.STEP ? items.length(each.item()) : 1;
            Require.that(
                    each.values().length == needed,
                    "item " + each.item() + " needs " + needed + (needed == 1 ? " score" : " scores, one for each step")
                            + ", got " + each.values().length);
            for (double value : each.values()) {
                Require.finite("the score of item " + each.item(), value);
            }
        }
    }

    /** {@return a copy of what is believed} */
    public Snapshot snapshot() {
        Snapshot.Builder builder = new Snapshot.Builder();
        builder.attribute(WIDTH, Integer.toString(settings.width()));
        builder.attribute(GRAIN, settings.grain().name());
        builder.attribute(SEED, Long.toString(settings.seed()));
        builder.counter(ROUND, round);
        model.save(builder);
        return builder.build();
    }

    /**
     * Restores what {@link #snapshot} returned.
     *
     * @param saved the state of an adviser of the same width, grain and seed
     * @throws IllegalArgumentException if it is the state of another adviser, or incomplete
     */
    public void restore(Snapshot saved) {
        requireSame(saved, WIDTH, Integer.toString(settings.width()));
        requireSame(saved, GRAIN, settings.grain().name());
        requireSame(saved, SEED, Long.toString(settings.seed()));
        round = Math.toIntExact(saved.counter(ROUND));
        model.restore(saved);
    }

    private static void requireSame(Snapshot saved, String name, String expected) {
        String found = saved.attributes().getOrDefault(name, "nothing");
        Require.that(
                found.equals(expected), "the saved state has " + name + " " + found + ", but the settings " + expected);
    }
}
