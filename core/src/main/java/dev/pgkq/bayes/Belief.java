package dev.pgkq.bayes;

import dev.pgkq.episode.Steps;

/** What is believed about the rewards of steps: r = m + φᵀ w, with a known m and a posterior of w. */
public interface Belief {
    /** {@return the posterior of w; the prior, if nothing was paid for yet} */
    Posterior posterior();

    /**
     * Computes φ.
     *
     * @param steps of episodes
     * @return φ of every step, row by row
     */
    float[] features(Steps steps);

    /**
     * Predicts rewards.
     *
     * @param steps of episodes
     * @return m + φᵀ E w of every step
     */
    double[] expected(Steps steps);

    /** {@return the mean row of the observations, if these were centred before w was inferred from them; 0 otherwise} */
    double[] centre();

    /** {@return how many times larger the squared errors of predictions have been than the posterior said} */
    double inflation();
}
