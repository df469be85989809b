package dev.pgkq.train;

/** The policy gradient method that an algorithm builds on. */
public enum Base {
    /** Vanilla policy gradient. */
    VPG,
    /** Proximal policy optimization, with a clipped objective. */
    PPO
}
