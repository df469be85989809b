package dev.pgkq.rewards.desk;

import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * How an application follows a {@link RewardDesk}.
 *
 * @param pending updated with the rewards that are pending
 * @param failures updated with failed attempts
 * @param notices receives messages for the user about what is in order, such as answers recorded late; may be called by any
 *     thread
 * @param warnings receives messages for the user about problems, such as a ledger that cannot be written; may be called by any
 *     thread
 * @param stopRequested whether the user wants to stop; answers that the ledger cannot take are then written to files
 */
public record RewardListener(
        PendingRewards pending,
        FailureReports failures,
        Consumer<String> notices,
        Consumer<String> warnings,
        BooleanSupplier stopRequested) {
    /** A listener that ignores everything. */
    public static RewardListener none() {
        return new RewardListener(
                new PendingRewards(InstantSource.system()),
                new FailureReports(),
                notice -> {},
                warning -> {},
                () -> false);
    }
}
