/** The state of a training run as named tensors, counters and attributes: what a checkpoint stores. */
@NullMarked
package dev.pgkq.state;

import org.jspecify.annotations.NullMarked;
