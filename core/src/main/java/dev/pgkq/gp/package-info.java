/**
 * Kernels between episodes. An episode is a bag of embedded steps with weights, and the kernel of two episodes is the
 * double sum of a Gaussian kernel over their steps. This package computes such kernels; where embeddings and weights come
 * from is not its concern.
 */
@NullMarked
package dev.pgkq.gp;

import org.jspecify.annotations.NullMarked;
