package dev.pgkq.nn;

import dev.pgkq.random.RandomStream;
import dev.pgkq.text.Require;
import java.io.Serializable;
import java.util.function.IntFunction;

/**
 * Epochs and minibatches: each epoch shuffles the samples and cuts them into minibatches of nearly equal size.
 *
 * <p>The number of minibatches is fixed, not their size. The number of updates is then the same whether an iteration
 * has eight rewarded episodes or sixty-four, and variants can be compared.
 *
 * @param epochs how often all samples are visited
 * @param count minibatches per epoch
 */
public record Minibatches(int epochs, int count) implements Serializable {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one of them is not positive
     */
    public Minibatches {
        Require.atLeast(1, "epochs", epochs);
        Require.atLeast(1, "minibatches", count);
    }

    /** Handles a minibatch. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Handles the samples {@code order[from … to)}.
         *
         * @param epoch from 0
         * @param order indices of the epoch's samples
         * @param from the first of the minibatch
         * @param to after the last of the minibatch
         */
        void visit(int epoch, int[] order, int from, int to);
    }

    /**
     * Visits all minibatches of all epochs.
     *
     * @param samples how many there are
     * @param streams gives the random numbers of an epoch
     * @param visitor handles each minibatch
     */
    public void forEach(int samples, IntFunction<RandomStream> streams, Visitor visitor) {
        int[] order = new int[samples];
        for (int i = 0; i < samples; i++) {
            order[i] = i;
        }
        forEach(
                epoch -> {
                    streams.apply(epoch).shuffle(order);
                    return order;
                },
                visitor);
    }

    /**
     * Visits all minibatches of epochs that have their own samples.
     *
     * @param orders gives the samples of an epoch, in their order
     * @param visitor handles each minibatch
     */
    public void forEach(IntFunction<int[]> orders, Visitor visitor) {
        for (int epoch = 0; epoch < epochs; epoch++) {
            int[] order = orders.apply(epoch);
            int portions = Math.min(count, order.length);
            for (int b = 0; b < portions; b++) {
                int from = (int) ((long) order.length * b / portions);
                int to = (int) ((long) order.length * (b + 1) / portions);
                visitor.visit(epoch, order, from, to);
            }
        }
    }
}
