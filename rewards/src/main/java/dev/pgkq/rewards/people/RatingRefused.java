package dev.pgkq.rewards.people;

/** What a rater wants cannot be done. The message says why, for the rater. Nothing has changed. */
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
