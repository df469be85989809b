package dev.pgkq.rewards.advise;

import java.time.Instant;

/**
 * A round in a list.
 *
 * @param round its number
 * @param judge who scores it
 * @param source the round whose items are scored once more, or 0
 * @param open whether scores are missing
 * @param asked when it was asked for
 * @param size number of items
 * @param chosen number of items to score, without those that were abandoned
 * @param abandoned number of items that were given up
 * @param owned number of items whose scores were known before
 * @param errorBefore expected error without any score; NaN if not known
 * @param expectedError expected error with all scores; NaN if not known
 * @param randomError expected error with as many scores of random items; NaN if not known
 */
public record RoundSummary(
        int round,
        String judge,
        int source,
        boolean open,
        Instant asked,
        int size,
        int chosen,
        int abandoned,
        int owned,
        double errorBefore,
        double expectedError,
        double randomError) {
    static RoundSummary of(Round round) {
        return new RoundSummary(
                round.number(),
                round.judge(),
                round.source(),
                round.open(),
                Instant.ofEpochMilli(round.asked()),
                round.size(),
                round.chosen().length,
                round.abandoned().length,
                round.owned().length,
                round.picked().errorBefore(),
                round.picked().expectedError(),
                round.picked().randomError());
    }
}
