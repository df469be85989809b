/**
 * The protocol between training and evaluators: {@link dev.pgkq.rewards.request.Request}, {@link
 * dev.pgkq.rewards.request.Reply} and the JSON form of a request, which logged episodes share.
 *
 * <p>Only values and their formats belong here. How a request reaches an evaluator is the concern of {@code oracle}; how
 * replies are stored is the concern of {@code ledger}.
 */
@NullMarked
package dev.pgkq.rewards.request;

import org.jspecify.annotations.NullMarked;
