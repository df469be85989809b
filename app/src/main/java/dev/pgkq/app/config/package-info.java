/** The settings of a run: one table that the command line, the YAML files and the run directory all read from. */
@NullMarked
package dev.pgkq.app.config;

import org.jspecify.annotations.NullMarked;
