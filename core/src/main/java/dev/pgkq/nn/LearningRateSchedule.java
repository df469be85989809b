package dev.pgkq.nn;

import dev.pgkq.text.Require;
import java.io.Serializable;

/** How a learning rate changes in the course of a run. */
public sealed interface LearningRateSchedule extends Serializable {
    /**
     * {@return the factor of the learning rate in an iteration}
     *
     * @param iteration counted from 1
     */
    double factor(int iteration);

    /** Not at all. */
    record Constant() implements LearningRateSchedule {
        @Override
        public double factor(int iteration) {
            return 1;
        }
    }

    /**
     * It falls in equal steps from its full value in the first iteration towards 0, which it would reach in the iteration after
     * the last.
     *
     * @param iterations of the run
     */
    record Linear(int iterations) implements LearningRateSchedule {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if there are no iterations
         */
        public Linear {
            Require.atLeast(1, "iterations of the schedule", iterations);
        }

        @Override
        public double factor(int iteration) {
            return Math.max(0, 1 - (iteration - 1) / (double) iterations);
        }
    }
}
