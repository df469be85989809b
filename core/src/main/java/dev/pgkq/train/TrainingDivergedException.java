package dev.pgkq.train;

import dev.pgkq.text.UserException;

/** A parameter became infinite or NaN. The trainer's state is unusable; go back to an earlier snapshot. */
public final class TrainingDivergedException extends UserException {
    private static final long serialVersionUID = 1L;

    /** The iteration after which the parameter was not finite. */
    private final int iteration;

    TrainingDivergedException(String what, String remedy, int iteration) {
        super("training diverged: the " + what + " is no longer finite after iteration " + iteration + "; try "
                + remedy);
        this.iteration = iteration;
    }

    /** {@return the iteration after which the parameter was not finite, from 1} */
    public int iteration() {
        return iteration;
    }
}
