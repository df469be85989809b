package dev.pgkq.model;

import dev.pgkq.episode.Steps;
import java.util.function.Function;

/**
 * What of a step its reward is predicted from: a row of numbers, and marks that are 0 or 1. All of it is known before any reward is.
 *
 * @param numbers how many numbers describe a step
 * @param marks how many marks follow them
 * @param rows the numbers and marks of every step, row by row
 */
public record StepDescription(int numbers, int marks, Function<Steps, float[]> rows) {
    /**
     * {@return the transition of a step: its observation, its action, the change to the next observation, and whether the episode ended
     * here by itself}. Most rewards follow from where a step led to, and not only from where it started.
     *
     * @param observation size of an observation
     * @param action size of an encoded action
     */
    public static StepDescription transition(int observation, int action) {
        return new StepDescription(2 * observation + action, 1, Steps::transitions);
    }

    /**
     * {@return the features that a step comes with}
     *
     * @param width how many
     */
    public static StepDescription features(int width) {
        return new StepDescription(width, 0, Steps::stateActions);
    }

    float[] of(Steps steps) {
        return rows.apply(steps);
    }
}
