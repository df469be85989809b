/**
 * Small fully connected networks with hand-written gradients, and the means to fit them: Adam, minibatches, gradients
 * summed over chunks in parallel. Parameters and activations are in single precision.
 */
@NullMarked
package dev.pgkq.nn;

import org.jspecify.annotations.NullMarked;
