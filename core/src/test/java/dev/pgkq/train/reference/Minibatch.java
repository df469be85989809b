package dev.pgkq.train.reference;

import dev.pgkq.nn.Minibatches;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A minibatch: some of the samples of an epoch.
 *
 * @param indices of its samples
 * @param epoch indices of all samples of the epoch
 * @param last whether the epoch is the last one
 */
record Minibatch(int[] indices, int[] epoch, boolean last) {
    /** {@return the share of the epoch's samples that it has} */
    double share() {
        return (double) indices.length / epoch.length;
    }

    /** {@return the minibatches of all epochs} Each is cut into a fixed number of nearly equal parts. */
    static List<Minibatch> of(Minibatches settings, IntFunction<int[]> orders) {
        List<Minibatch> all = new ArrayList<>();
        for (int epoch = 0; epoch < settings.epochs(); epoch++) {
            int[] order = orders.apply(epoch);
            int parts = Math.min(settings.count(), order.length);
            for (int b = 0; b < parts; b++) {
                int from = order.length * b / parts;
                int to = order.length * (b + 1) / parts;
                all.add(new Minibatch(Arrays.copyOfRange(order, from, to), order, epoch == settings.epochs() - 1));
            }
        }
        return all;
    }

    /** {@return the minibatches of all epochs} Each epoch shuffles the order of the one before it. */
    static List<Minibatch> shuffled(Minibatches settings, int samples, IntFunction<RandomStream> streams) {
        int[] order = new int[samples];
        Arrays.setAll(order, i -> i);
        return of(settings, epoch -> {
            streams.apply(epoch).shuffle(order);
            return order.clone();
        });
    }
}
