package dev.pgkq.env;

/**
 * Plays episodes again from their seeds and actions, and records what the environment says and shows meanwhile. So nothing of it
 * costs time while episodes are sampled, of which few are ever looked at.
 *
 * <p>The first value of the first state of an episode is its seed if its task has a recorder. That value is among the
 * {@linkplain EnvironmentSpec#hiddenStates hidden} ones.
 *
 * <p>A recorder is used by one thread at a time.
 */
public interface Recorder extends AutoCloseable {
    /**
     * Plays an episode again.
     *
     * @param episode the seed, the actions and what has to be observed
     * @param options what to record
     * @return what was recorded
     * @throws dev.pgkq.text.UserException if something else is observed, or the environment fails
     */
    Recording record(Playback episode, Recording.Options options);

    @Override
    void close();
}
