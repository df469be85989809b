/** The kernel between whole episodes, and its matrix for a batch. */
@NullMarked
package dev.pgkq.kernel;

import org.jspecify.annotations.NullMarked;
