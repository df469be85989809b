/**
 * Buys the rewards that training requests: {@link dev.pgkq.rewards.desk.RewardDesk} asks an evaluator, records every answer in the
 * ledger before it is used, stays within a budget, and pays for nothing twice.
 *
 * <p>This is where evaluators and the ledger meet; neither knows the other. Budgets, the renewal of claims, the recording of
 * answers, and progress and failure reports of requests belong here. Ways to ask belong in {@code oracle} and {@code people},
 * storage in {@code ledger}, and all presentation in the application.
 */
@NullMarked
package dev.pgkq.rewards.desk;

import org.jspecify.annotations.NullMarked;
