package dev.pgkq.train;

/** The policy gradient method that an algorithm builds on. */
public enum Base {
    VPG,
    PPO
}
