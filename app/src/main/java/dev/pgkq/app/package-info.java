/** The command line: run directories, checkpoints, plots. */
@NullMarked
package dev.pgkq.app;

import org.jspecify.annotations.NullMarked;
