package dev.pgkq.select;

import dev.pgkq.text.Require;
import java.io.Serializable;

/** Decides how many episodes of an iteration to pay for. */
public sealed interface Pace extends Serializable {
    /** {@return the most episodes of an iteration} */
    int most();

    /** {@return the fewest episodes that an iteration needs when nothing is known} */
    int least();

    /**
     * {@return this pace with another limit, if that is lower}
     *
     * @param limit the most episodes of an iteration
     */
    Pace atMost(int limit);

    /**
     * {@return this pace within what a budget allows; a fixed number stays as it is}
     *
     * @param allowed the most episodes of an iteration
     */
    Pace within(int allowed);

    /**
     * Decides whether to pay for one more episode, within the limit.
     *
     * @param chosen number of episodes chosen so far in this iteration
     * @param iteration 1, 2, …
     * @param error expected squared error of the gradient with these, relative to the sampling error of N episodes; NaN if it is not
     *     known
     * @param gain the share of the expected error that the best further episode would remove
     * @return whether to choose it
     */
    boolean another(int chosen, int iteration, double error, double gain);

    /**
     * The same number in every iteration.
     *
     * @param count n
     */
    record Fixed(int count) implements Pace {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it is below 1
         */
        public Fixed {
            Require.atLeast(1, "select", count);
        }

        @Override
        public int most() {
            return count;
        }

        @Override
        public int least() {
            return count;
        }

        @Override
        public Pace atMost(int limit) {
            return new Fixed(Math.min(count, limit));
        }

        @Override
        public Pace within(int allowed) {
            return this;
        }

        @Override
        public boolean another(int chosen, int iteration, double error, double gain) {
            return chosen < count;
        }
    }

    /**
     * As few as what is known allows: none while the gradient is known well enough, otherwise one, and more only if each of them
     * removes much of the error. Now and then one is evaluated in any case, so that a belief that has become wrong is found out.
     *
     * @param most the most episodes of an iteration
     * @param leastGain the least share of the error that a further episode has to remove
     */
    record Auto(int most, double leastGain) implements Pace {
        /** The most episodes of an iteration, by default. */
        public static final int MOST = 8;

        /** The relative error that is small enough. */
        private static final double TOLERANCE = 0.1;

        /** The least share of the error that a further episode has to remove, by default. */
        public static final double LEAST_GAIN = 0.3;

        /** At least one episode is evaluated every so many iterations, if the limit allows it. */
        public static final int AUDIT = 10;

        /**
         * Checks the limit.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Auto {
            Require.atLeast(0, "most of select", most);
        }

        /**
         * A further episode has to remove {@link #LEAST_GAIN} of the error.
         *
         * @param most the most episodes of an iteration
         * @throws IllegalArgumentException if it is negative
         */
        public Auto(int most) {
            this(most, LEAST_GAIN);
        }

        @Override
        public int least() {
            return 1;
        }

        @Override
        public Pace atMost(int limit) {
            return new Auto(Math.min(most, limit), leastGain);
        }

        @Override
        public Pace within(int allowed) {
            return atMost(allowed);
        }

        @Override
        public boolean another(int chosen, int iteration, double error, double gain) {
            // not known counts as too large
            boolean needed = !(error <= TOLERANCE);
            boolean worthwhile = chosen == 0 ? needed || iteration % AUDIT == 0 : needed && gain >= leastGain;
            return chosen < most && worthwhile;
        }
    }
}
