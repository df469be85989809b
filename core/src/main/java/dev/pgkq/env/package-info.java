/**
 * Environments: the interface that a task implements, the list of available tasks, a checker for implementations, and the
 * tasks in plain Java. Nothing here depends on policies or training.
 */
@NullMarked
package dev.pgkq.env;

import org.jspecify.annotations.NullMarked;
