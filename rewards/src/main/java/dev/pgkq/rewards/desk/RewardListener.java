package dev.pgkq.rewards.desk;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Who waits for rewards.
 *
 * @param orders what he sees of them while they are out
 * @param troubles what he hears of those that fail
 * @param tell tells him what he should know
 * @param stop whether he wants to stop
 */
public record RewardListener(PendingRewards orders, Troubles troubles, Consumer<String> tell, BooleanSupplier stop) {}
