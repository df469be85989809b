/**
 * Compares many runs: finds them, sorts them into groups of repetitions and into comparisons, and computes the statistics
 * of a report. Input is run directories; output is groups and a {@link dev.pgkq.app.study.Summary}.
 */
@NullMarked
package dev.pgkq.app.study;

import org.jspecify.annotations.NullMarked;
