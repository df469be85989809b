/** Kernels between whole episodes. */
@NullMarked
package dev.pgkq.kernel;

import org.jspecify.annotations.NullMarked;
