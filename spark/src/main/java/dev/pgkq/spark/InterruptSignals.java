package dev.pgkq.spark;

import org.apache.spark.SparkEnv;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Keeps Ctrl-C away from executors. A terminal sends it to every process that was started from there, including the executors
 * of {@code local-cluster}; only the driver decides when they stop and what happens to rewards in progress.
 */
final class InterruptSignals {
    private static final String DRIVER = "driver";

    static {
        SparkEnv spark = SparkEnv.get();
        if (spark != null && !spark.executorId().equals(DRIVER)) {
            Signal.handle(new Signal("INT"), SignalHandler.SIG_IGN);
        }
    }

    private InterruptSignals() {}

    /** Ignores the interrupt signal from now on if this process is an executor. */
    static void ignoreOnExecutor() {
        // loading the class does it, once per process
    }
}
