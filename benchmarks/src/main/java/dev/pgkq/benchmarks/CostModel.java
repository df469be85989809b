package dev.pgkq.benchmarks;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Predicts the seconds of an iteration of {@code ppo-kq} on a cluster, by stage, for Hopper's sizes and a kernel of the
 * policy's scores. The constants are fitted to measurements on two cores; {@code docs/scaling.md} compares measurements and predictions.
 * The network's speed is an assumption.
 *
 * @param cores of all executors together
 * @param episodes N
 * @param length mean number of steps of an episode
 * @param features whether the Gram matrix is estimated from random features
 * @param driverThreads threads of the driver
 */
record CostModel(int cores, double episodes, double length, boolean features, int driverThreads) {
    /** Seconds of a core to simulate a step, including the policy. */
    private static final double STEP = 65e-6;
    /** Seconds of a core for a kernel value with weights in 32 dimensions. */
    private static final double KERNEL_VALUE = 1.4e-9;
    /** Seconds of a core for a multiplication in the product of the feature matrix. */
    private static final double PRODUCT = 4.2e-11;
    /** Seconds of a core for a step's embedding, score and random features, and their sums. */
    private static final double FEATURES_OF_STEP = 3e-6;
    /** Seconds of a core to write and read a byte. */
    private static final double EXCHANGE_OF_BYTE = 4e-9;
    /** Seconds of a thread for a step in all epochs of the policy, the baseline and the model. */
    private static final double LEARNING = 42e-6;
    /** Seconds for a pair of a candidate and a chosen point. */
    private static final double CHOICE = 5e-8;
    /** Seconds of overhead per job. */
    private static final double JOB = 0.1;
    /** Seconds of the driver to schedule a task and receive its result. */
    private static final double TASK = 1e-3;

    /** Bytes per second that a machine sends or receives: ten gigabits. */
    private static final double NETWORK = 1.25e9;

    /** The largest number of rows whose square matrix fits into a Java array. */
    private static final int MOST_EPISODES = 46_340;

    private static final int TILE = 64;
    private static final int CORES_OF_A_MACHINE = 16;
    private static final int RANDOM_FEATURES = 512;
    private static final int DIMENSIONS = 32;
    private static final int EMBEDDING = 10;
    private static final double BYTES_OF_STEP = 60;
    private static final double PAID = 64;

    private double steps() {
        return episodes * length;
    }

    private double machines() {
        return Math.max(1, (double) cores / CORES_OF_A_MACHINE);
    }

    /** The number of blocks into which the batch is divided for the Gram matrix; every episode is sent to as many tasks. */
    private double blocks() {
        return Math.min(Math.ceil(2 * Math.sqrt(cores)), Math.ceil(episodes / (features ? TILE : 1)));
    }

    /** An episode takes its steps one after the other, so sampling takes at least as long as one episode. */
    double sampling() {
        double shards = Math.min(4.0 * cores, episodes);
        return Math.max(steps() * STEP / cores, length * STEP) + JOB + shards * TASK;
    }

    /** Seconds of one core for the whole matrix. */
    private double matrix() {
        return features
                ? 0.5 * episodes * episodes * RANDOM_FEATURES * DIMENSIONS * PRODUCT + steps() * FEATURES_OF_STEP
                : 0.5 * steps() * steps() * KERNEL_VALUE;
    }

    /** Whether the driver computes the matrix, because it is faster at it and the matrix is small. */
    private boolean onDriver() {
        return matrix() / driverThreads <= Math.min(2, 0.25 + matrix() / cores);
    }

    double gram() {
        double pairs = blocks() * (blocks() + 1) / 2;
        return onDriver() ? matrix() / driverThreads : matrix() / Math.min(cores, pairs) + 2 * JOB + pairs * TASK;
    }

    /** The parts of the matrix product are written, sent and read once for each block. */
    double exchange() {
        if (onDriver()) {
            return 0;
        }
        double bytes = blocks()
                * (features ? episodes * RANDOM_FEATURES * DIMENSIONS * 4 : steps() * (EMBEDDING + DIMENSIONS) * 4);
        double sent = machines() > 1 ? bytes / machines() / NETWORK : 0;
        return bytes * EXCHANGE_OF_BYTE / cores + sent;
    }

    /** Half of the Gram matrix, and the observation, action and log-probability of every step. */
    double toDriver() {
        return (4 * episodes * episodes + BYTES_OF_STEP * steps()) / NETWORK;
    }

    double choosing() {
        return episodes * PAID * CHOICE + episodes * episodes * 8 / 1e10;
    }

    double learning() {
        return steps() * LEARNING / driverThreads;
    }

    /** Bytes of the Gram matrix, and of the steps with the arrays that learning derives from them. */
    double driverMemory() {
        return 3 * 8 * episodes * episodes + 6 * BYTES_OF_STEP * steps();
    }

    Map<String, Double> stages() {
        Map<String, Double> stages = new LinkedHashMap<>();
        stages.put("sampling", sampling());
        stages.put("Gram matrix", gram());
        stages.put("exchange of parts", exchange());
        stages.put("to the driver", toDriver());
        stages.put("choosing", choosing());
        stages.put("learning on the driver", learning());
        return stages;
    }

    double total() {
        return stages().values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** The stage that takes longest. */
    String bottleneck() {
        return stages().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    /** A row of the table in the docs. */
    String markdown() {
        StringBuilder line = new StringBuilder(
                String.format(Locale.ROOT, "| %,d | %,.0f | %s ", cores, episodes, features ? "features" : "exact"));
        stages().values()
                .forEach(seconds -> line.append("| ").append(readable(seconds)).append(' '));
        return line.append(String.format(
                        Locale.ROOT,
                        "| %s | %s | %s |",
                        readable(total()),
                        memory(driverMemory()),
                        (episodes > MOST_EPISODES ? "the matrix, which is refused; then " : "") + bottleneck()))
                .toString();
    }

    private static String readable(double seconds) {
        if (seconds < 0.005) {
            return "0";
        }
        if (seconds < 100) {
            return String.format(Locale.ROOT, "%.2g s", seconds);
        }
        return seconds < 7200
                ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
                : String.format(Locale.ROOT, "%,.0f h", seconds / 3600);
    }

    private static String memory(double bytes) {
        return bytes < 1e9
                ? String.format(Locale.ROOT, "%.0f MB", bytes / 1e6)
                : bytes < 1e12
                        ? String.format(Locale.ROOT, "%.0f GB", bytes / 1e9)
                        : String.format(Locale.ROOT, "%.0f TB", bytes / 1e12);
    }
}
