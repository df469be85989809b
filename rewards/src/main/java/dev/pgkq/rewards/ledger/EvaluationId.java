package dev.pgkq.rewards.ledger;

import dev.pgkq.episode.Episode;

/**
 * Identifies an evaluation, and records which run first requested it. The key alone decides whether two evaluations are the
 * same.
 *
 * @param key key in the ledger
 * @param oracle identity of the evaluator
 * @param task id of the task
 * @param run name of the requesting run ({@link RunName})
 * @param iteration iteration of the episode in that run
 * @param episode index of the episode in its batch
 * @param steps length of the episode
 */
public record EvaluationId(
        LedgerKey key, String oracle, String task, String run, int iteration, int episode, int steps) {
    /** The evaluation of an episode by the evaluator of this identity. */
    public static EvaluationId of(String oracleIdentity, String taskId, String run, Episode episode) {
        return new EvaluationId(
                LedgerKey.of(oracleIdentity, taskId, episode),
                oracleIdentity,
                taskId,
                run,
                episode.iteration(),
                episode.index(),
                episode.length());
    }
}
