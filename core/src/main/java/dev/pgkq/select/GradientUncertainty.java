package dev.pgkq.select;

/** The expected squared error of a batch's gradient, and how it falls with each episode that is paid for, in units of σ². */
interface GradientUncertainty {
    /** Returns the expected squared error of the sum over all episodes, with the episodes chosen so far. */
    double now();

    /** Returns the episode that would reduce the error most, or nearly so; −1 if all are chosen. */
    int best();

    /** Returns the error if an episode were chosen, too. */
    double with(int episode);

    /** Chooses an episode. */
    void choose(int episode);

    /** Makes sure that an episode is never the {@link #best}. */
    void exclude(int episode);

    /** Returns the error if these episodes were chosen and no others, whatever has been chosen so far. */
    double withAll(int... indices);

    /** Returns for each episode the predicted mean square of what the forecast is judged by. */
    double[] variances();

    /** Returns the position of the least value that is a number; −1 if there is none. */
    static int least(double[] values) {
        int best = -1;
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i]) && (best < 0 || values[i] < values[best])) {
                best = i;
            }
        }
        return best;
    }
}
