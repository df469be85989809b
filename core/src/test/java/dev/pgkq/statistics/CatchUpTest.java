package dev.pgkq.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CatchUpTest {
    private static final double[] SMALL = {90, 110};
    private static final double[] LARGE = {190, 200, 210};

    @Test
    void itIsTheShareOfTheGap() {
        assertThat(CatchUp.of(SMALL, new double[] {160, 190}, LARGE)).isEqualTo(0.75);
        assertThat(CatchUp.of(SMALL, SMALL, LARGE)).isZero();
        assertThat(CatchUp.of(SMALL, LARGE, LARGE)).isEqualTo(1);
        assertThat(CatchUp.of(SMALL, new double[] {50}, LARGE)).isEqualTo(-0.5);
    }

    @Test
    void withoutAGapItHasNoValue() {
        assertThat(CatchUp.of(LARGE, SMALL, SMALL)).isNaN();
        assertThat(CatchUp.of(SMALL, LARGE, SMALL)).isNaN();
    }
}
