package dev.pgkq.spark;

import org.apache.spark.SparkEnv;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Ctrl-C in a terminal goes to all that was started from there, executors of {@code local-cluster} included. It is the driver's
 * to decide what becomes of them and of rewards that are out.
 */
final class Interrupts {
    private static final String DRIVER = "driver";

    static {
        SparkEnv spark = SparkEnv.get();
        if (spark != null && !spark.executorId().equals(DRIVER)) {
            Signal.handle(new Signal("INT"), SignalHandler.SIG_IGN);
        }
    }

    private Interrupts() {}

    /** On an executor they are not heard from now on. */
    static void leaveToTheDriver() {
        // done when the class is loaded, once
    }
}
