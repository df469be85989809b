package dev.pgkq.rewards.request;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Recording;
import dev.pgkq.episode.Episode;
import java.io.Serializable;
import java.util.regex.Pattern;

/**
 * A request for the reward of one episode.
 *
 * @param idempotencyKey identifies the evaluation; the same for every attempt, so that an evaluator can avoid computing or
 *     charging twice. It is used in file names and in an HTTP header: up to 200 letters, digits, dots, hyphens and underscores
 * @param task id of the task
 * @param iteration iteration of the requesting run
 * @param attempt number of the attempt, starting at 1
 * @param spec shape of the task's environment
 * @param episode the episode to evaluate
 * @param recording what the environment says and shows about the episode, as far as that is wanted
 */
public record Request(
        String idempotencyKey,
        String task,
        int iteration,
        int attempt,
        EnvironmentSpec spec,
        Episode episode,
        Recording recording)
        implements Serializable {
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    /** @throws IllegalArgumentException if the key or attempt is invalid, or the episode's arrays do not match the shape */
    public Request {
        if (!KEY.matcher(idempotencyKey).matches()) {
            throw new IllegalArgumentException("the idempotency key '" + idempotencyKey
                    + "' must consist of up to 200 letters, digits, dots, hyphens and underscores");
        }
        if (attempt < 1) {
            throw new IllegalArgumentException("attempts are counted from 1, got " + attempt);
        }
        requireSize(episode.observations().length, episode.length() * spec.observationSize(), "observations");
        requireSize(episode.actions().length, episode.length() * spec.encodedActionSize(), "actions");
        requireSize(episode.states().length, (episode.length() + 1) * spec.stateSize(), "states");
    }

    /** A request with nothing but the episode. */
    public Request(
            String idempotencyKey, String task, int iteration, int attempt, EnvironmentSpec spec, Episode episode) {
        this(idempotencyKey, task, iteration, attempt, spec, episode, Recording.NOTHING);
    }

    /** The same request with another attempt number. */
    public Request withAttempt(int number) {
        return new Request(idempotencyKey, task, iteration, number, spec, episode, recording);
    }

    /** The episode's name: {@code run/iteration/index}. */
    public String episodeId(String run) {
        return run + "/" + episode.iteration() + "/" + episode.index();
    }

    private static void requireSize(int size, int expected, String what) {
        if (size != expected) {
            throw new IllegalArgumentException("the episode has " + size + " numbers of " + what
                    + ", but the environment's shape requires " + expected);
        }
    }
}
