/**
 * Kernel quadrature on a finite set: choose n of N points with weights so that Σ w_i f(x_i) ≈ (1/N) Σ f(x_j) for every f
 * in the kernel's space. All it sees is the kernel matrix; it knows nothing of episodes.
 */
@NullMarked
package dev.pgkq.quadrature;

import org.jspecify.annotations.NullMarked;
