/** The episodes of an iteration, wherever they are. */
@NullMarked
package dev.pgkq.batch;

import org.jspecify.annotations.NullMarked;
