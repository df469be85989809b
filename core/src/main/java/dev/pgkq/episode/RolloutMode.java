package dev.pgkq.episode;

import dev.pgkq.random.Purpose;

/** What episodes are sampled for. */
public enum RolloutMode {
    /** Actions are drawn from the policy. */
    TRAINING(Purpose.RESET),
    /** The policy's mean action is taken, from start states that training never saw. */
    EVALUATION(Purpose.EVALUATION_RESET);

    final Purpose reset;

    RolloutMode(Purpose reset) {
        this.reset = reset;
    }
}
