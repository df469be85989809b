package dev.pgkq.spark;

import java.io.Serializable;

/**
 * The parameters of an iteration, broadcast once to every executor.
 *
 * @param iteration to sample
 * @param policy θ
 * @param observations the normalisation of observations; empty if there is none
 * @param kernel parameters of the kernel between steps; empty if the run has no kernel
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Parameters(int iteration, float[] policy, float[] observations, float[] kernel) implements Serializable {}
