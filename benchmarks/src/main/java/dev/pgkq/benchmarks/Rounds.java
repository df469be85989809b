package dev.pgkq.benchmarks;

import java.util.Arrays;

/**
 * Times of two sides whose rounds alternate, so that background load affects both equally.
 *
 * <p>The result of a side is the lower quartile of its rounds. Other programs can only add time, so the fast rounds show the
 * speed of the code; the very fastest may be an outlier.
 */
final class Rounds {
    static final double QUARTILE = 0.25;

    private final double[] ours;
    private final double[] peers;

    private Rounds(double[] ours, double[] peers) {
        this.ours = ours;
        this.peers = peers;
    }

    /** Runs one round and returns its time, in a unit that both sides share. */
    @FunctionalInterface
    interface Side {
        double run();
    }

    /** A side that is timed in seconds of wall-clock time. */
    static Side timed(Runnable work) {
        return () -> {
            long start = System.nanoTime();
            work.run();
            return (System.nanoTime() - start) * 1e-9;
        };
    }

    /** Warms both sides up, then alternates; the side that goes first alternates, too. */
    static Rounds alternate(int warmUp, int rounds, Side our, Side peer) {
        for (int i = 0; i < warmUp; i++) {
            our.run();
            peer.run();
        }
        double[] ours = new double[rounds];
        double[] peers = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            if (i % 2 == 0) {
                ours[i] = our.run();
                peers[i] = peer.run();
            } else {
                peers[i] = peer.run();
                ours[i] = our.run();
            }
        }
        return of(ours, peers);
    }

    static Rounds of(double[] ours, double[] peers) {
        if (ours.length == 0 || ours.length != peers.length) {
            throw new IllegalArgumentException(ours.length + " rounds against " + peers.length);
        }
        return new Rounds(ours.clone(), peers.clone());
    }

    double ours() {
        return quantile(ours, QUARTILE);
    }

    double peer() {
        return quantile(peers, QUARTILE);
    }

    /** Our speed as a multiple of the peer's. */
    double speedup() {
        return peer() / ours();
    }

    /** Linear interpolation between the sorted values. */
    static double quantile(double[] values, double level) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double at = level * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
}
