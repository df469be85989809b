/** The trace of a run, for the dashboard: what quadrature saw of each iteration, and the newest episodes. */
@NullMarked
package dev.pgkq.app.trace;

import org.jspecify.annotations.NullMarked;
