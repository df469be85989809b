package dev.pgkq.gp;

import dev.pgkq.text.Require;
import java.io.Serializable;

/** The number of minibatches in a fit of a {@link DeepKernel}. */
public sealed interface KernelUpdates extends Serializable {
    /**
     * The same number in every fit, each of full size. Points are used again if there are too few.
     *
     * @param count number of minibatches
     */
    record Fixed(int count) implements KernelUpdates {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Fixed {
            Require.atLeast(0, "updates of the kernel", count);
        }

        @Override
        public int number(int points, int size) {
            return count;
        }
    }

    /** As many as one pass over the points needs. Every point is used once; the minibatches are of nearly equal size. */
    record Pass() implements KernelUpdates {
        @Override
        public int number(int points, int size) {
            return Math.ceilDiv(points, size);
        }
    }

    /**
     * {@return the number of minibatches of a fit}
     *
     * @param points number of points
     * @param size the most points in a minibatch
     */
    int number(int points, int size);
}
