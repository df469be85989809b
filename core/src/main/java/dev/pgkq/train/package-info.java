/**
 * The training loop, the algorithms as compositions of stages, and their settings. Nothing here reads or writes files: the
 * state of a run is a {@link dev.pgkq.state.Snapshot}.
 */
@NullMarked
package dev.pgkq.train;

import org.jspecify.annotations.NullMarked;
