/**
 * Kernel quadrature on a finite set: choose n of N points with weights so that Σ w_i f(x_i) ≈ (1/N) Σ f(x_j) for every
 * f in the kernel's space. Rules see the kernel matrix only; this package does not know episodes.
 */
@NullMarked
package dev.pgkq.quadrature;

import org.jspecify.annotations.NullMarked;
