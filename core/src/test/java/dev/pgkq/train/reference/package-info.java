/**
 * A second implementation of one iteration of every algorithm, to check the first one against. It is slow and plain: double
 * precision, one step of an episode at a time, loops in the order of the formulas of {@code docs/algorithms.md}. It shares
 * random streams, episodes and quadrature rules with the main code, and nothing else. It is also the shortest complete
 * statement of the algorithms: start with {@link dev.pgkq.train.reference.ReferenceTrainer}.
 */
package dev.pgkq.train.reference;
