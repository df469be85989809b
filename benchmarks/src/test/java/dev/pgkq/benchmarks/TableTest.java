package dev.pgkq.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final Row MET = Row.atLeast("a", "4 ms", "8 ms", 2.04, 2);

    @Test
    void columnsAreAlignedAndLinesEndWithTheirText() {
        Table table = new Table(List.of(MET, Row.notMeasured("longer", "≥ 1", "no compiler")));

        assertThat(table.text()).isEqualTo("""
                what    ours  peer  ratio  target  verdict
                a       4 ms  8 ms  2.04   ≥ 2     met
                longer                     ≥ 1     not measured: no compiler
                """);
    }

    @Test
    void markdownKeepsBarsInsideCells() {
        Row row = new Row("a|b", "", "", "", "", "");

        assertThat(new Table(List.of(row)).markdown()).isEqualTo("""
                | what | ours | peer | ratio | target | verdict |
                |---|---|---|---|---|---|
                | a\\|b |  |  |  |  |  |
                """);
    }

    @Test
    void aRatioBelowItsTargetIsMissed() {
        assertThat(MET.verdict()).isEqualTo("met");
        assertThat(Row.atLeast("a", "", "", 1.99, 2).verdict()).isEqualTo("missed");
        assertThat(Row.atLeast("a", "", "", 1, 0.95).target()).isEqualTo("≥ 0.95");
    }

    @Test
    void aFigureAboveItsTargetIsMissed() {
        assertThat(Row.atMost("a", 2.999, 3, "s").cells()).containsExactly("a", "3.00 s", "", "", "≤ 3 s", "met");
        assertThat(Row.atMost("a", 3.001, 3, "s").verdict()).isEqualTo("missed");
        assertThat(Row.atMost("a", 0.000412345, 2, "ms").ours()).isEqualTo("0.000412 ms");
        assertThat(Row.atMost("a", 1234.5, 2000, "ms").ours()).isEqualTo("1230 ms");
    }

    @Test
    void poorScalingCountsOnlyWhereTwoCoresWereFree() {
        Row slow = Row.atLeast("threads", "", "", 1.2, 1.6);

        assertThat(Threads.judged(slow, 1.2, OptionalDouble.of(0.05), 2).verdict())
                .isEqualTo("missed");
        assertThat(Threads.judged(slow, 1.2, OptionalDouble.of(1), 2).verdict())
                .isEqualTo("not conclusive: other processes used 1.0 of 2 cores");
        assertThat(Threads.judged(slow, 1.2, OptionalDouble.of(1), 4).verdict()).isEqualTo("missed");
    }

    @Test
    void peakMemoryIsComparedInGigabytes() {
        assertThat(Memory.row(1_500_000_000L).verdict()).isEqualTo("met");
        assertThat(Memory.row(1_510_000_000L).verdict()).isEqualTo("missed");
    }

    @Test
    void idleTimeDoesNotCountAsBusy() {
        assertThat(Machine.busySeconds("cpu  100 20 30 4000 500 6 7 8 0 0")).isEqualTo(1.71);
    }
}
