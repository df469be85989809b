package dev.pgkq.reward;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.episode.Episode;

/**
 * A reward of your own, as a class: {@link OfSteps} tells the reward of every step, {@link OfWhole} one number for the
 * episode. Which of the two it is must be known before anything is paid for, because training works differently with each;
 * so a class is one or the other.
 *
 * <p>A class named in {@code java:CLASS} needs a public constructor without arguments. One object of it is asked by several
 * threads at once, unless evaluations are limited to one at a time. A failed evaluation is never a number: throw, and the
 * episode is asked for again. A thread that is interrupted should stop soon, by an {@link InterruptedException} or any other.
 */
public sealed interface EpisodeReward extends AutoCloseable {
    /** What it tells of an episode. */
    Grain grain();

    /** Called once, after the last evaluation. */
    @Override
    default void close() throws Exception {}

    /** The reward of every step. */
    @FunctionalInterface
    non-sealed interface OfSteps extends EpisodeReward {
        /**
         * One finite number for each of the episode's steps.
         *
         * @param episode what the policy saw and did, and the simulator's states
         * @param spec the environment's shape; {@link EnvironmentSpec#toEnvironment} tells what it made of an action
         */
        double[] rewards(Episode episode, EnvironmentSpec spec) throws Exception;

        @Override
        default Grain grain() {
            return Grain.STEP;
        }
    }

    /** One number for the whole episode. */
    @FunctionalInterface
    non-sealed interface OfWhole extends EpisodeReward {
        /**
         * One finite number.
         *
         * @param episode what the policy saw and did, and the simulator's states
         * @param spec the environment's shape; {@link EnvironmentSpec#toEnvironment} tells what it made of an action
         */
        double reward(Episode episode, EnvironmentSpec spec) throws Exception;

        @Override
        default Grain grain() {
            return Grain.EPISODE;
        }
    }
}
