package dev.pgkq.purchase;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.Rewards;
import dev.pgkq.select.Selection;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A batch with the rewards of some of its episodes: the input of every stage after the purchase. It holds the rewards of
 * the n paid episodes and no others.
 */
public final class PaidBatch {
    private final EpisodeBatch batch;
    private final Selection selection;
    private final List<Rewards> rewards;
    private final Steps paidSteps;

    /**
     * Creates a paid batch from episodes that have already been fetched.
     *
     * @param batch all N episodes
     * @param selection the n paid episodes and their weights
     * @param chosen the n paid episodes, in the order of the selection
     * @param rewards their rewards, in the same order
     * @throws IllegalArgumentException if the number of episodes and of rewards differ, or the length of an episode and
     *     of its rewards
     */
    public PaidBatch(EpisodeBatch batch, Selection selection, List<Episode> chosen, List<Rewards> rewards) {
        if (chosen.size() != rewards.size()) {
            throw new IllegalArgumentException(rewards.size() + " rewards for " + chosen.size() + " episodes");
        }
        for (int i = 0; i < chosen.size(); i++) {
            if (chosen.get(i).length() != rewards.get(i).values().length) {
                throw new IllegalArgumentException("episode " + chosen.get(i).index() + " has "
                        + chosen.get(i).length() + " steps and "
                        + rewards.get(i).values().length + " rewards");
            }
        }
        this.batch = batch;
        this.selection = selection;
        this.rewards = List.copyOf(rewards);
        this.paidSteps = Steps.of(chosen);
    }

    /**
     * Creates a paid batch and takes the selected episodes from the batch.
     *
     * @param batch all N episodes
     * @param selection the n paid episodes and their weights
     * @param rewards their rewards, in the order of the selection
     * @throws IllegalArgumentException if the number of episodes and of rewards differ, or the length of an episode and
     *     of its rewards
     */
    public PaidBatch(EpisodeBatch batch, Selection selection, List<Rewards> rewards) {
        this(batch, selection, batch.take(selection.points().indices()), rewards);
    }

    /** {@return N, the number of episodes in the batch, paid or not} */
    public int size() {
        return batch.size();
    }

    /** {@return the selection that was paid for} */
    public Selection selection() {
        return selection;
    }

    /** {@return the indices and weights of the n paid episodes} */
    public WeightedPoints points() {
        return selection.points();
    }

    /** {@return the steps of all N episodes, in the order of the batch} */
    public Steps allSteps() {
        return isWhole() ? paidSteps : batch.steps();
    }

    private boolean isWhole() {
        int[] indices = selection.points().indices();
        return indices.length == batch.size()
                && IntStream.range(0, indices.length).allMatch(i -> indices[i] == i);
    }

    /** {@return the steps of the n paid episodes, in the order of the selection} */
    public Steps paidSteps() {
        return paidSteps;
    }

    /** {@return the reward r of every step of {@link #paidSteps}} */
    public double[] paidRewards() {
        double[] values = new double[paidSteps.size()];
        for (int i = 0; i < rewards.size(); i++) {
            System.arraycopy(rewards.get(i).values(), 0, values, paidSteps.start(i), paidSteps.length(i));
        }
        return values;
    }

    /** {@return Σ_i w_i Σ_t r_t over the paid episodes: the rule's estimate of the mean return of all N} */
    public double meanReturn() {
        double mean = 0;
        for (int i = 0; i < rewards.size(); i++) {
            mean += selection.points().weights()[i] * rewards.get(i).total();
        }
        return mean;
    }

    /**
     * Tells whether there is anything to learn from the paid rewards. Steps that all earn the same still differ in what
     * follows, if episodes have different lengths.
     *
     * @param grain whether every step has a reward, or every episode one number
     * @return the largest paid reward less the smallest, or that of returns if all rewards are equal; NaN if fewer than two are
     *     known
     */
    public double spread(Grain grain) {
        double ofSteps = grain == Grain.STEP ? spread(Arrays.stream(paidRewards())) : 0;
        return ofSteps > 0 ? ofSteps : spread(rewards.stream().mapToDouble(Rewards::total));
    }

    private static double spread(DoubleStream values) {
        DoubleSummaryStatistics all = values.summaryStatistics();
        return all.getCount() < 2 ? Double.NaN : all.getMax() - all.getMin();
    }

    /**
     * {@return the discounted return R of every step of {@link #paidSteps}}
     *
     * @param discount γ, above 0 and at most 1
     */
    public double[] paidReturns(double discount) {
        return Rewards.discountedReturns(paidSteps, paidRewards(), discount);
    }
}
