/**
 * What the user sees in a terminal: progress, histograms, commands to copy, and errors with the options that help. Formatting is
 * separate from printing. Progress is shown without knowing what makes it; {@link dev.pgkq.app.terminal.Advice} knows the errors
 * of all libraries.
 */
@NullMarked
package dev.pgkq.app.terminal;

import org.jspecify.annotations.NullMarked;
