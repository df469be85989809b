/**
 * A second implementation of one iteration of every algorithm, to check the first one against. It is slow and plain: double
 * precision, one step of an episode at a time, loops in the order of the formulas of {@code docs/algorithms.md}. It shares
 * settings, random streams, minibatches, episodes and quadrature rules with the main code. A rule sees the matrix K of the main
 * code, once the two matrices agree: rounding may decide between two equally good choices. It is also a complete statement of the
 * algorithms: start with {@link dev.pgkq.train.reference.ReferenceTrainer}.
 */
package dev.pgkq.train.reference;
