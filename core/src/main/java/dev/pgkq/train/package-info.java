/**
 * The training loop and the compositions it runs: sample, select, reward, advantage, policy step, fit. Nothing here
 * touches a file; a run's state comes and goes as a {@link dev.pgkq.state.Snapshot}.
 */
@NullMarked
package dev.pgkq.train;

import org.jspecify.annotations.NullMarked;
