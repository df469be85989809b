/**
 * Measurements of speed and memory against peers, and studies of gradient errors, reward units and choices. Nothing depends on this
 * module; it may depend on everything.
 */
@NullMarked
package dev.pgkq.benchmarks;

import org.jspecify.annotations.NullMarked;
