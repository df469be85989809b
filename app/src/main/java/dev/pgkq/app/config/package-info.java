/** The settings of a run: one table for the command line, YAML files and run directories. */
@NullMarked
package dev.pgkq.app.config;

import org.jspecify.annotations.NullMarked;
