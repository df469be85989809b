/**
 * Statistics of experiments: numbers come in, numbers go out. Nothing here knows runs, files or figures.
 */
@NullMarked
package dev.pgkq.app.statistics;

import org.jspecify.annotations.NullMarked;
