package dev.pgkq.select;

/** The expected squared error of a batch's gradient, and how it falls with each episode that is paid for, in units of σ². */
interface GradientUncertainty {
    /** Returns the expected squared error of the sum over all episodes, with the episodes chosen so far. */
    double now();

    /** Returns the error for each episode if it was chosen next; not a number for those that are chosen already. */
    double[] next();

    /** Chooses an episode. */
    void choose(int episode);

    /** Returns for each episode the predicted mean square of what the forecast is judged by. */
    double[] variances();
}
