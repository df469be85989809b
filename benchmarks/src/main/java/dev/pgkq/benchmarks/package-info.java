/** Measurements of speed and memory against peers. Nothing depends on this module; it may depend on everything. */
@NullMarked
package dev.pgkq.benchmarks;

import org.jspecify.annotations.NullMarked;
