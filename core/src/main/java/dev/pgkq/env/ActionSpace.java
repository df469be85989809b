package dev.pgkq.env;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The actions of an environment.
 *
 * <p>An environment takes an action in its own range. Policies, kernels and reward models use its <i>encoding</i>: numbers of
 * similar size that are comparable by distance. A {@link Box} is encoded by mapping its bounds to [−1, 1], a {@link Discrete}
 * action by a 1 for every category taken and a 0 for every other. Episodes hold encoded actions.
 */
public sealed interface ActionSpace extends Serializable {
    /** {@return the number of values in an action of the environment} */
    int size();

    /** {@return the number of values in an encoded action} */
    int encodedSize();

    /** {@return how many actions there are and of which kind, for people: such as {@code 1 action of 2 categories}} */
    String description();

    /**
     * Converts an encoded action to an action of the environment.
     *
     * @param encoded holds the encoded action
     * @param offset index at which it starts
     * @param into receives the {@link #size} values of the environment's action
     */
    void decode(float[] encoded, int offset, float[] into);

    /**
     * Continuous actions between bounds. Encoded actions beyond [−1, 1] are clipped.
     *
     * @param low smallest value of each entry
     * @param high largest value of each entry
     */
    record Box(float[] low, float[] high) implements ActionSpace {
        /**
         * Checks the bounds and copies them.
         *
         * @throws IllegalArgumentException if there are none, or if they are not finite with low &lt; high
         */
        public Box {
            require(low.length > 0, "an environment needs at least one action");
            require(
                    low.length == high.length,
                    "the lower bounds of actions have " + low.length + " entries, the upper bounds " + high.length);
            for (int i = 0; i < low.length; i++) {
                require(
                        Float.isFinite(low[i]) && Float.isFinite(high[i]) && low[i] < high[i],
                        "action " + i + " needs finite bounds with low < high, got " + low[i] + " and " + high[i]);
            }
            low = low.clone();
            high = high.clone();
        }

        @Override
        public int size() {
            return low.length;
        }

        @Override
        public int encodedSize() {
            return low.length;
        }

        @Override
        public String description() {
            return size() + (size() == 1 ? " action" : " actions");
        }

        @Override
        public void decode(float[] encoded, int offset, float[] into) {
            for (int i = 0; i < into.length; i++) {
                float clipped = Math.clamp(encoded[offset + i], -1f, 1f);
                into[i] = low[i] + 0.5f * (clipped + 1f) * (high[i] - low[i]);
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Box box && Arrays.equals(low, box.low) && Arrays.equals(high, box.high);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(low) + Arrays.hashCode(high);
        }
    }

    /**
     * One choice among categories, or several: an action has one entry for each part, a whole number from 0 to the part's
     * number of categories − 1. Gymnasium's {@code Discrete(k)} is one part of k, {@code MultiBinary(n)} n parts of 2.
     *
     * @param categories the number of categories of each part
     */
    record Discrete(int... categories) implements ActionSpace {
        /**
         * Checks the categories and copies them.
         *
         * @throws IllegalArgumentException if there is no part, or if a part has fewer than two categories
         */
        public Discrete {
            require(categories.length > 0, "an environment needs at least one action");
            for (int i = 0; i < categories.length; i++) {
                require(categories[i] > 1, "action " + i + " needs at least two categories, got " + categories[i]);
            }
            categories = categories.clone();
        }

        @Override
        public int size() {
            return categories.length;
        }

        @Override
        public int encodedSize() {
            int sum = 0;
            for (int count : categories) {
                sum += count;
            }
            return sum;
        }

        @Override
        public String description() {
            return size() + (size() == 1 ? " action of " : " actions of ")
                    + Arrays.stream(categories).mapToObj(Integer::toString).collect(Collectors.joining(", "))
                    + " categories";
        }

        @Override
        public void decode(float[] encoded, int offset, float[] into) {
            int at = offset;
            for (int part = 0; part < categories.length; part++) {
                int taken = 0;
                for (int k = 1; k < categories[part]; k++) {
                    taken = encoded[at + k] > encoded[at + taken] ? k : taken;
                }
                into[part] = taken;
                at += categories[part];
            }
        }

        /**
         * Converts an action of the environment to an encoded action.
         *
         * @param action holds the category of each part
         * @param offset index at which the action starts
         * @param into receives the encoded action
         * @param at index at which the encoded action starts
         * @throws IllegalArgumentException if an entry is not the number of a category
         */
        public void encode(float[] action, int offset, float[] into, int at) {
            Arrays.fill(into, at, at + encodedSize(), 0f);
            int first = at;
            for (int part = 0; part < categories.length; part++) {
                float taken = action[offset + part];
                require(
                        taken >= 0 && taken < categories[part] && taken == (int) taken,
                        "action " + part + " is " + taken + ", not a whole number from 0 to " + (categories[part] - 1));
                into[first + (int) taken] = 1f;
                first += categories[part];
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Discrete discrete && Arrays.equals(categories, discrete.categories);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(categories);
        }
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
