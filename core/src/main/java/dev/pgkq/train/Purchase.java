package dev.pgkq.train;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.episode.Episode;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.SimplexWeights;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Answer;
import dev.pgkq.reward.PaidBatch;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.reward.Rewards;
import dev.pgkq.select.Selection;
import dev.pgkq.text.UserException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Pays for the episodes of a selection. A reward that does not come is not a reward of 0: its episode leaves the rule,
 * and the weights of those that are left, or of those and spare ones, are solved again.
 *
 * <p>Where fewer than half come, something is wrong with the source, and the rule would be worth little: better to stop
 * and say so. Nothing of the iteration has happened then, and what was paid for is for the source to keep.
 */
final class Purchase {
    private final RewardSource source;
    private final OnFailure onFailure;
    private final long seed;
    private final EpisodeBatch batch;
    private final Selection wanted;
    private final int iteration;
    private final Map<Integer, Bought> paid = new LinkedHashMap<>();
    private final Map<Integer, String> failed = new LinkedHashMap<>();

    private record Bought(Episode episode, Rewards rewards) {}

    private Purchase(
            RewardSource source, OnFailure onFailure, long seed, EpisodeBatch batch, Selection wanted, int iteration) {
        this.source = source;
        this.onFailure = onFailure;
        this.seed = seed;
        this.batch = batch;
        this.wanted = wanted;
        this.iteration = iteration;
    }

    static PaidBatch of(
            RewardSource source, OnFailure onFailure, long seed, EpisodeBatch batch, Selection wanted, int iteration) {
        return new Purchase(source, onFailure, seed, batch, wanted, iteration).paid();
    }

    private PaidBatch paid() {
        request(wanted.points().indices());
        if (failed.isEmpty()) {
            return bought(wanted);
        }
        int count = wanted.points().size();
        if (onFailure == OnFailure.STOP) {
            throw missing("and --on-failure stop does not go on without");
        }
        // no more spares than were wanted in the first place: a source that never answers must not be asked for all
        for (int spares = 0; onFailure == OnFailure.REPLACE && paid.size() < count && spares < count; spares++) {
            OptionalInt spare = spare();
            if (spare.isEmpty()) {
                break;
            }
            request(spare.getAsInt());
        }
        if (2 * paid.size() < count) {
            throw missing("which is fewer than half");
        }
        int[] indices = paid.keySet().stream().mapToInt(Integer::intValue).toArray();
        return bought(wanted.on(indices));
    }

    private PaidBatch bought(Selection rule) {
        List<Episode> episodes = new ArrayList<>();
        List<Rewards> rewards = new ArrayList<>();
        for (int index : rule.points().indices()) {
            Bought each = Objects.requireNonNull(paid.get(index));
            episodes.add(each.episode);
            rewards.add(each.rewards);
        }
        return new PaidBatch(batch, rule, episodes, rewards);
    }

    private void request(int... indices) {
        List<Episode> episodes = batch.take(indices);
        List<Answer> answers = source.request(episodes);
        for (int i = 0; i < indices.length; i++) {
            switch (answers.get(i)) {
                case Answer.Paid answer -> paid.put(indices[i], new Bought(episodes.get(i), answer.rewards()));
                case Answer.Failed answer -> failed.put(indices[i], answer.reason());
            }
        }
    }

    /** Another episode to pay for: the one that helps the rule most, or any where there is no kernel to say. */
    private OptionalInt spare() {
        int[] left = IntStream.range(0, batch.size())
                .filter(index -> !paid.containsKey(index) && !failed.containsKey(index))
                .toArray();
        if (left.length == 0) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(
                wanted.kernel().map(view -> best(view.gram(), left)).orElseGet(() -> any(left)));
    }

    private int best(GramMatrix gram, int[] left) {
        int[] points = new int[paid.size() + 1];
        int at = 0;
        for (int index : paid.keySet()) {
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
        RandomStream random = RandomStream.of(seed, Purpose.SPARE, iteration, paid.size() + failed.size());
        return left[random.subset(left.length, 1)[0]];
    }

    private UserException missing(String why) {
        Map.Entry<Integer, String> first = failed.entrySet().iterator().next();
        String then = iteration == 1 && paid.isEmpty()
                ? "Nothing has been paid for yet: mend what is wrong and begin again with --resume, also with another"
                        + " --reward if that was it"
                : "Everything up to iteration " + (iteration - 1)
                        + " is saved, and what was paid for is kept: mend what is wrong and go on with --resume";
        return new UserException(paid.size() + " of " + wanted.points().size() + " rewards of iteration " + iteration
                + " came, " + why + ". Episode " + first.getKey() + ": " + first.getValue() + ". " + then);
    }
}
