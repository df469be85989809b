/** Figures of runs, drawn with JFreeChart. What comes in is {@link dev.pgkq.app.run.Metrics}, what goes out is a picture. */
@NullMarked
package dev.pgkq.app.plot;

import org.jspecify.annotations.NullMarked;
