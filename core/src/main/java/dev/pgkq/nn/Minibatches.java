package dev.pgkq.nn;

import dev.pgkq.random.RandomStream;
import dev.pgkq.text.Require;
import java.io.Serializable;
import java.util.function.IntFunction;

/**
 * How often and in what portions samples are gone through: each epoch shuffles them and cuts them into {@code count}
 * minibatches of nearly equal size.
 *
 * <p>The number of minibatches is fixed, not their size: the number of updates is then the same whether an iteration has
 * eight rewarded episodes or sixty-four, and variants can be compared.
 */
public record Minibatches(int epochs, int count) implements Serializable {
    public Minibatches {
        Require.atLeast(1, "epochs", epochs);
        Require.atLeast(1, "minibatches", count);
    }

    /** One minibatch: the samples {@code order[from … to)}. */
    @FunctionalInterface
    public interface Visitor {
        void visit(int epoch, int[] order, int from, int to);
    }

    /** Visits all minibatches of all epochs; {@code streams} gives the random numbers of an epoch. */
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

    /** The same where {@code orders} says which samples an epoch goes through, and in what order. */
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
