/** The kernel between whole episodes, and what it says of a batch. */
@NullMarked
package dev.pgkq.kernel;

import org.jspecify.annotations.NullMarked;
