/** Training in a run directory: metrics, events, checkpoints, and going on after a stop. */
@NullMarked
package dev.pgkq.app.training;

import org.jspecify.annotations.NullMarked;
