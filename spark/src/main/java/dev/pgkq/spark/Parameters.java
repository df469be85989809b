package dev.pgkq.spark;

import java.io.Serializable;

/**
 * What changes from iteration to iteration; sent once to every executor.
 *
 * @param iteration the one that is sampled
 * @param policy θ
 * @param kernel parameters of the kernel between steps; empty where none is used
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Parameters(int iteration, float[] policy, float[] kernel) implements Serializable {}
