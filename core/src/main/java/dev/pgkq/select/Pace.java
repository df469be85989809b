package dev.pgkq.select;

/** Decides how many episodes of an iteration to pay for. */
@FunctionalInterface
public interface Pace {
    /**
     * Decides whether to pay for one more episode.
     *
     * @param chosen number of episodes chosen so far in this iteration
     * @param now expected squared error of the gradient relative to its size, with these; NaN if nothing is known about the size
     * @param gain the share of the expected error that the best further episode would remove
     * @return whether to choose it
     */
    boolean another(int chosen, double now, double gain);

    /**
     * {@return a pace of the same number in every iteration}
     *
     * @param count n
     */
    static Pace fixed(int count) {
        return (chosen, now, gain) -> chosen < count;
    }

    /**
     * {@return a pace that pays while the gradient is not known well enough and one more episode would help}
     *
     * @param target the relative squared error below which nothing is paid for
     * @param least after the first episode, the least share of the error that a further one has to remove
     * @param most the most episodes of an iteration
     */
    static Pace adaptive(double target, double least, int most) {
        return (chosen, now, gain) -> chosen < most && !(now <= target) && (chosen == 0 || gain >= least);
    }
}
