/**
 * Statistics of experiments: numbers come in, numbers go out. Nothing here knows runs, files or figures.
 */
@NullMarked
package dev.pgkq.statistics;

import org.jspecify.annotations.NullMarked;
