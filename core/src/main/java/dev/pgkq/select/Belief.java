package dev.pgkq.select;

import dev.pgkq.bayes.BatchFeatures;
import dev.pgkq.bayes.Posterior;
import dev.pgkq.episode.Steps;

/** What is believed about the rewards of steps, r = c + φᵀ w + ε: a posterior of w. */
public interface Belief {
    /** {@return whether an evaluation tells the reward of every step, and not only one number of the episode} */
    boolean observesSteps();

    /** {@return the posterior of w; the prior, if nothing was paid for yet} */
    Posterior posterior();

    /**
     * Turns to the features φ of a batch. The first call takes the units of the features from its steps, which are those of the first
     * batch.
     *
     * @param steps of episodes
     * @return φ of its steps; valid until another batch is turned to
     */
    BatchFeatures features(Steps steps);

    /** {@return f̄, the mean row of the observations} */
    double[] centre();

    /**
     * Predicts rewards.
     *
     * @param steps of episodes
     * @return the expected reward of every step
     */
    double[] expected(Steps steps);

    /** {@return σ², the variance of ε; NaN if it is not known} */
    double noise();

    /** {@return how many times larger the squared errors of predictions have been than the posterior said} */
    double inflation();
}
