package dev.pgkq.reward;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.select.Selection;
import java.util.List;
import java.util.stream.IntStream;

/** A batch of which some episodes have been paid for: all that the stages after the oracle work from. */
public final class PaidBatch {
    private final EpisodeBatch batch;
    private final Selection selection;
    private final List<Rewards> rewards;
    private final Steps paid;

    /**
     * @param batch all N episodes
     * @param selection the n that were paid for, with their weights
     * @param chosen these n, in the order of the selection
     * @param rewards theirs, in the same order
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
        this.paid = Steps.of(chosen);
    }

    /** The same, with episodes taken from the batch. */
    public PaidBatch(EpisodeBatch batch, Selection selection, List<Rewards> rewards) {
        this(batch, selection, batch.take(selection.points().indices()), rewards);
    }

    /** N. */
    public int size() {
        return batch.size();
    }

    public Selection selection() {
        return selection;
    }

    public WeightedPoints points() {
        return selection.points();
    }

    /** Steps of all N episodes. */
    public Steps all() {
        return isWhole() ? paid : batch.steps();
    }

    private boolean isWhole() {
        int[] indices = selection.points().indices();
        return indices.length == batch.size()
                && IntStream.range(0, indices.length).allMatch(i -> indices[i] == i);
    }

    /** Steps of the n paid ones, in the order of the selection. */
    public Steps paid() {
        return paid;
    }

    /** r of every paid step. */
    public double[] paidRewards() {
        double[] values = new double[paid.size()];
        for (int i = 0; i < rewards.size(); i++) {
            System.arraycopy(rewards.get(i).values(), 0, values, paid.start(i), paid.length(i));
        }
        return values;
    }

    /** Σ_i w_i Σ_t r_t over the paid episodes: what their rule says of the mean return of all N. */
    public double meanReturn() {
        double mean = 0;
        for (int i = 0; i < rewards.size(); i++) {
            mean += selection.points().weights()[i] * rewards.get(i).total();
        }
        return mean;
    }

    /** R of every paid step. */
    public double[] paidReturns(double discount) {
        return Rewards.discountedReturns(paid, paidRewards(), discount);
    }
}
