package dev.pgkq.episode;

import dev.pgkq.random.Purpose;

/** The purpose for which episodes are sampled. */
public enum RolloutMode {
    /** Draw actions from the policy. */
    TRAINING(Purpose.RESET),
    /** Take the policy's mean action, from start states that training never uses. */
    EVALUATION(Purpose.EVALUATION_RESET);

    final Purpose reset;

    RolloutMode(Purpose reset) {
        this.reset = reset;
    }
}
