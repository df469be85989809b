/**
 * Evaluators: ways to get the reward of one episode from a program, a service, a class or a folder, and the retries around them.
 * {@link dev.pgkq.rewards.oracle.Evaluator} is the interface, {@link dev.pgkq.rewards.oracle.Evaluators} opens the
 * implementations.
 *
 * <p>An evaluator turns a request into a reply or a failure. It neither stores answers nor knows the ledger, the budget or training.
 * New ways to ask belong here; people as evaluators have their own package.
 */
@NullMarked
package dev.pgkq.rewards.oracle;

import org.jspecify.annotations.NullMarked;
