package dev.pgkq.rewards.ledger;

import dev.pgkq.episode.Episode;

/**
 * An evaluation that a run wants.
 *
 * @param key what it is known by
 * @param oracle identity of the oracle
 * @param task id of the task
 * @param run name of the run that asks
 * @param iteration of the episode in that run
 * @param episode its place in the batch
 * @param steps its length
 */
public record EvaluationId(
        LedgerKey key, String oracle, String task, String run, int iteration, int episode, int steps) {
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
