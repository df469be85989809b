package dev.pgkq.benchmarks;

import java.util.List;

/** One thing to measure: it says what it does and yields rows of the report. */
interface Benchmark {
    /** What {@code pgkq bench NAME} calls it. */
    String name();

    /** What it is doing, for people who wait. */
    String doing();

    List<Row> run(Effort effort);

    /** How much time to spend. */
    enum Effort {
        QUICK,
        FULL;

        /** As many rounds as given, or a fifth in a hurry. */
        int rounds(int full) {
            return this == FULL ? full : Math.max(3, full / 5);
        }
    }
}
