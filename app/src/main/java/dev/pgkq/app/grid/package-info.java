/** Grids of runs: which runs a grid has, training them, and showing their progress. */
@NullMarked
package dev.pgkq.app.grid;

import org.jspecify.annotations.NullMarked;
