/**
 * Kernels between episodes. An episode is a bag of embedded steps with weights, and the kernel of two episodes is the
 * double sum of a Gaussian kernel over their steps. Embeddings come from a network that is
 * learned with the kernel; where weights come from is not the concern of this package.
 */
@NullMarked
package dev.pgkq.gp;

import org.jspecify.annotations.NullMarked;
