/**
 * Linear algebra: matrix products through OpenBLAS and elementwise loops through the Vector API, each behind an
 * interface with a twin in plain Java, eigenpairs, and the Cholesky decomposition. This package does not know networks
 * or Gaussian processes.
 */
@NullMarked
package dev.pgkq.linalg;

import org.jspecify.annotations.NullMarked;
