package dev.pgkq.benchmarks;

import java.util.List;

/** One measurement, which yields rows of the report. */
interface Benchmark {
    /** The NAME in {@code pgkq bench NAME}. */
    String name();

    /** What it measures and how long that takes, as the user sees it meanwhile. */
    String doing();

    /** Measures. */
    List<Row> run(Effort effort);

    /** How much time to spend. */
    enum Effort {
        QUICK,
        FULL;

        /** As many rounds as given, or a fifth of them if quick. */
        int rounds(int full) {
            return this == FULL ? full : Math.max(3, full / 5);
        }
    }
}
