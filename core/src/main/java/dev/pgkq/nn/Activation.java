package dev.pgkq.nn;

/** What is applied to the units of hidden layers. */
public enum Activation {
    /** max(0, ·). */
    RELU,
    /** The hyperbolic tangent. */
    TANH
}
