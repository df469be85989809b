/**
 * The learned kernel between steps, and Gram matrices between episodes. An episode is a set of embedded steps with
 * weights; the kernel of two episodes is the double sum of a Gaussian kernel over their steps. Embeddings come from a
 * network that is learned with the kernel. This package does not know where weights come from.
 */
@NullMarked
package dev.pgkq.gp;

import org.jspecify.annotations.NullMarked;
