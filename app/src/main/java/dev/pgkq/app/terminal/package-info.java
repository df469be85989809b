/**
 * What the user sees in a terminal: progress, histograms, commands to copy. Formatting is separate from printing, and nothing
 * here knows what makes progress.
 */
@NullMarked
package dev.pgkq.app.terminal;

import org.jspecify.annotations.NullMarked;
