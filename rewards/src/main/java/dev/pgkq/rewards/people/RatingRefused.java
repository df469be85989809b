package dev.pgkq.rewards.people;

/** A rater's request was refused. The message tells the rater why. Nothing has changed. */
public final class RatingRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RatingRefused(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
