package dev.pgkq.rewards.request;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.episode.Episode;
import java.io.Serializable;
import java.util.regex.Pattern;

/**
 * A question: what is this episode's reward?
 *
 * @param idempotencyKey the same for the same question, however often it is asked, so that nobody works or charges twice.
 *     It becomes the name of files and the value of a header: up to 200 letters, digits, dots, hyphens and underscores
 * @param task the task's id
 * @param iteration iteration of the run that asks
 * @param attempt 1 for the first time that it is asked
 * @param spec the shape of the task's environment
 * @param episode the episode
 */
public record Request(
        String idempotencyKey, String task, int iteration, int attempt, EnvironmentSpec spec, Episode episode)
        implements Serializable {
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    public Request {
        if (!KEY.matcher(idempotencyKey).matches()) {
            throw new IllegalArgumentException("the idempotency key '" + idempotencyKey
                    + "' should consist of up to 200 letters, digits, dots, hyphens and underscores");
        }
        if (attempt < 1) {
            throw new IllegalArgumentException("attempts are counted from 1, got " + attempt);
        }
        requireSize(episode.observations().length, episode.length() * spec.observationSize(), "observations");
        requireSize(episode.actions().length, episode.length() * spec.actionSize(), "actions");
        requireSize(episode.states().length, (episode.length() + 1) * spec.stateSize(), "states");
    }

    /** The same question, asked another time. */
    public Request withAttempt(int number) {
        return new Request(idempotencyKey, task, iteration, number, spec, episode);
    }

    /** The episode's name: {@code run/iteration/index}. */
    public String episodeId(String run) {
        return run + "/" + episode.iteration() + "/" + episode.index();
    }

    private static void requireSize(int size, int expected, String what) {
        if (size != expected) {
            throw new IllegalArgumentException("the episode has " + size + " numbers of " + what
                    + ", but the environment's shape says " + expected);
        }
    }
}
