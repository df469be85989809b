package dev.pgkq.purchase;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.episode.Episode;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.SimplexWeights;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Answer;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.reward.Rewards;
import dev.pgkq.select.Selection;
import dev.pgkq.text.Excerpt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Pays for the episodes of a selection. A missing reward is never treated as a reward of 0: its episode leaves the rule, and
 * the weights of the remaining episodes, with or without replacements, are computed again.
 *
 * <p>If fewer than half of the rewards arrive, the source is likely broken and the rule would be poor, so the purchase
 * fails. If only one was requested, another episode is tried before. Nothing else of the iteration has happened by then; rewards that did arrive are the source's to keep.
 *
 * <p>If the source can pay for some of the episodes only, they are all that is requested. So the last iteration uses up a budget.
 */
public final class Purchase {
    private final RewardSource source;
    private final OnFailure onFailure;
    private final long seed;
    private final EpisodeBatch batch;
    private final Selection selection;
    private final int iteration;
    private final Map<Integer, Evaluated> received = new LinkedHashMap<>();
    private final Map<Integer, String> failures = new LinkedHashMap<>();
    private final Map<Integer, RuntimeException> notBought = new LinkedHashMap<>();

    private record Evaluated(Episode episode, Rewards rewards) {}

    private Purchase(
            RewardSource source,
            OnFailure onFailure,
            long seed,
            EpisodeBatch batch,
            Selection selection,
            int iteration) {
        this.source = source;
        this.onFailure = onFailure;
        this.seed = seed;
        this.batch = batch;
        this.selection = selection;
        this.iteration = iteration;
    }

    /**
     * Buys the rewards of a selection.
     *
     * @param source evaluates the rewards
     * @param onFailure how to handle rewards that do not arrive
     * @param seed of the run; keys the choice of replacements where there is no kernel
     * @param batch all episodes of the iteration
     * @param selection the episodes to pay for
     * @param iteration 1, 2, …
     * @return the batch with the rewards that arrived; its selection is {@code selection} if all did
     * @throws RuntimeException the reason if the source can pay for none of them
     * @throws MissingRewardsException if rewards are missing and {@code onFailure} is {@link OnFailure#STOP}, or if fewer than half
     *     of them arrive
     */
    public static PaidBatch buy(
            RewardSource source,
            OnFailure onFailure,
            long seed,
            EpisodeBatch batch,
            Selection selection,
            int iteration) {
        return new Purchase(source, onFailure, seed, batch, selection, iteration).buy();
    }

    private PaidBatch buy() {
        request(selection.points().indices());
        if (failures.isEmpty() && notBought.isEmpty()) {
            return paidBatch(selection);
        }
        int count = selection.points().size() - notBought.size();
        if (count == 0) {
            throw notBought.values().iterator().next();
        }
        if (onFailure == OnFailure.STOP && !failures.isEmpty()) {
            throw missing("and training is set to stop if any is missing");
        }
        // At most as many replacements as selected episodes: a source that never answers must not be asked for all. A
        // single
        // reward gets one in any case: that it is missing says little about the source.
        boolean replace = (onFailure == OnFailure.REPLACE || count == 1) && notBought.isEmpty();
        for (int extra = 0; replace && received.size() < count && extra < count; extra++) {
            OptionalInt replacement = replacement();
            if (replacement.isEmpty()) {
                break;
            }
            request(replacement.getAsInt());
            if (!notBought.isEmpty()) {
                break;
            }
        }
        if (2 * received.size() < count) {
            throw missing("which is fewer than half");
        }
        return arrived();
    }

    private PaidBatch arrived() {
        return paidBatch(selection.on(
                received.keySet().stream().mapToInt(Integer::intValue).toArray()));
    }

    private PaidBatch paidBatch(Selection rule) {
        List<Episode> episodes = new ArrayList<>();
        List<Rewards> rewards = new ArrayList<>();
        for (int index : rule.points().indices()) {
            Evaluated each = Objects.requireNonNull(received.get(index));
            episodes.add(each.episode);
            rewards.add(each.rewards);
        }
        return new PaidBatch(batch, rule, episodes, rewards);
    }

    private void request(int... indices) {
        if (indices.length == 0) {
            return;
        }
        List<Episode> episodes = batch.take(indices);
        List<Answer> answers = source.request(episodes);
        for (int i = 0; i < indices.length; i++) {
            switch (answers.get(i)) {
                case Answer.Paid answer -> received.put(indices[i], new Evaluated(episodes.get(i), answer.rewards()));
                case Answer.Failed answer -> failures.put(indices[i], answer.reason());
                case Answer.NotBought answer -> notBought.put(indices[i], answer.reason());
            }
        }
    }

    /** Chooses another episode to pay for: the best one for the rule, or a random one if there is no kernel. */
    private OptionalInt replacement() {
        int[] left = IntStream.range(0, batch.size())
                .filter(index -> !received.containsKey(index) && !failures.containsKey(index))
                .toArray();
        if (left.length == 0) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(
                selection.kernel().map(view -> best(view.gram(), left)).orElseGet(() -> any(left)));
    }

    private int best(GramMatrix gram, int[] left) {
        int[] points = new int[received.size() + 1];
        int at = 0;
        for (int index : received.keySet()) {
            points[at++] = index;
        }
        int best = left[0];
        double least = Double.POSITIVE_INFINITY;
        for (int candidate : left) {
            points[at] = candidate;
            double error = SimplexWeights.leastSquaredError(gram, points);
            if (error < least) {
                least = error;
                best = candidate;
            }
        }
        return best;
    }

    private int any(int[] left) {
        RandomStream random = RandomStream.of(seed, Purpose.SPARE, iteration, received.size() + failures.size());
        return left[random.subset(left.length, 1)[0]];
    }

    private MissingRewardsException missing(String why) {
        Map.Entry<Integer, String> first = failures.entrySet().iterator().next();
        return new MissingRewardsException(
                iteration,
                arrived(),
                selection.points().size(),
                why,
                Excerpt.brief("Episode " + first.getKey() + ": " + first.getValue()));
    }
}
