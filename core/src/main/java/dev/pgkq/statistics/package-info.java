/**
 * Statistics of experiments. Input and output are numbers; this package knows nothing about runs, files or figures.
 */
@NullMarked
package dev.pgkq.statistics;

import org.jspecify.annotations.NullMarked;
