/** Draws figures of runs with JFreeChart. Input is {@link dev.pgkq.app.run.Metrics} or lines of numbers; output is images. */
@NullMarked
package dev.pgkq.app.plot;

import org.jspecify.annotations.NullMarked;
