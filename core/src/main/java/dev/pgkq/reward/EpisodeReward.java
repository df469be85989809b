package dev.pgkq.reward;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.episode.Episode;

/**
 * A user-defined reward. {@link OfSteps} returns the reward of every step, {@link OfWhole} one number for the episode.
 * Training works differently with each, so the kind must be known before anything is paid for, and a class implements one of
 * the two.
 *
 * <p>A class that is named in {@code java:CLASS} needs a public constructor without arguments. Several threads use one object
 * concurrently unless evaluations are limited to one at a time. Never return a number for a failed evaluation: throw an
 * exception, and the episode is evaluated again. An interrupted thread should stop soon, with an
 * {@link InterruptedException} or any other exception.
 */
public sealed interface EpisodeReward extends AutoCloseable {
    /** {@return whether it has a reward for each step or one number for the episode} */
    Grain grain();

    /**
     * Releases resources. Called once, after the last evaluation.
     *
     * @throws Exception if that fails
     */
    @Override
    default void close() throws Exception {}

    /** A reward for every step. */
    @FunctionalInterface
    non-sealed interface OfSteps extends EpisodeReward {
        /**
         * Evaluates the reward of every step.
         *
         * @param episode observations, actions and simulator states
         * @param spec sizes of the environment; {@link EnvironmentSpec#toEnvironment} converts actions
         * @return one finite number for each step of the episode
         * @throws Exception if the evaluation fails
         */
        double[] rewards(Episode episode, EnvironmentSpec spec) throws Exception;

        @Override
        default Grain grain() {
            return Grain.STEP;
        }
    }

    /** One number for a whole episode. */
    @FunctionalInterface
    non-sealed interface OfWhole extends EpisodeReward {
        /**
         * Evaluates the reward of the episode.
         *
         * @param episode observations, actions and simulator states
         * @param spec sizes of the environment; {@link EnvironmentSpec#toEnvironment} converts actions
         * @return one finite number for the episode
         * @throws Exception if the evaluation fails
         */
        double reward(Episode episode, EnvironmentSpec spec) throws Exception;

        @Override
        default Grain grain() {
            return Grain.EPISODE;
        }
    }
}
