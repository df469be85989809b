/**
 * What a person sees while a command runs: progress, histograms, durations. Formatting is pure and apart from printing,
 * and nothing here knows what it is that makes progress.
 */
@NullMarked
package dev.pgkq.app.terminal;

import org.jspecify.annotations.NullMarked;
