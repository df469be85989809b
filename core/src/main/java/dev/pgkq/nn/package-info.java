/**
 * Small fully connected networks with hand-written gradients, and what fits them: Adam, minibatches, gradients summed
 * over chunks in parallel. Single precision throughout.
 */
@NullMarked
package dev.pgkq.nn;

import org.jspecify.annotations.NullMarked;
