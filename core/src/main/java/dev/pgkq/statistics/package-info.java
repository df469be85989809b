/**
 * Statistics of experiments: numbers in, numbers out. This package does not know runs, files or figures.
 */
@NullMarked
package dev.pgkq.statistics;

import org.jspecify.annotations.NullMarked;
