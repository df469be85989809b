package dev.pgkq.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PaceTest {
    private static final Pace AUTO = new Pace.Auto(3);

    @Test
    void aFixedPaceIsTheSameWhateverIsKnown() {
        Pace fixed = new Pace.Fixed(2);
        for (double error : new double[] {0, 1e9, Double.NaN}) {
            assertThat(fixed.another(0, 1, error, 0)).isTrue();
            assertThat(fixed.another(1, 1, error, 0)).isTrue();
            assertThat(fixed.another(2, 1, error, 1)).isFalse();
        }
        assertThat(fixed.most()).isEqualTo(2);
        assertThat(fixed.least()).isEqualTo(2);
        assertThat(fixed.atMost(1)).isEqualTo(new Pace.Fixed(1));
    }

    @Test
    void nothingIsPaidForWhileTheGradientIsKnown() {
        assertThat(AUTO.another(0, 1, 0.1, 0.9)).isFalse();
        assertThat(AUTO.another(0, 1, 0.1001, 0)).isTrue();
        assertThat(AUTO.another(1, 1, 0.1, 0.9)).isFalse();
    }

    @Test
    void whatIsNotKnownIsPaidFor() {
        assertThat(AUTO.another(0, 1, Double.NaN, 0)).isTrue();
        assertThat(AUTO.another(1, 1, Double.NaN, 0.5)).isTrue();
        assertThat(AUTO.least()).isEqualTo(1);
    }

    @Test
    void furtherEpisodesHaveToRemoveMuchOfTheError() {
        assertThat(AUTO.another(1, 1, 5, 0.31)).isTrue();
        assertThat(AUTO.another(1, 1, 5, 0.29)).isFalse();
        assertThat(AUTO.another(3, 1, 5, 0.9)).isFalse();
        assertThat(AUTO.atMost(2).another(2, 1, 5, 0.9)).isFalse();
        assertThat(AUTO.atMost(9).most()).isEqualTo(3);
    }

    @Test
    void everyTenthIterationChecksWhatIsBelieved() {
        assertThat(AUTO.another(0, 10, 0, 0)).isTrue();
        assertThat(AUTO.another(1, 10, 0, 0.9)).isFalse();
        assertThat(AUTO.another(0, 11, 0, 0)).isFalse();
    }

    @Test
    void nothingIsPaidForThatIsNotAllowed() {
        assertThat(AUTO.within(0).another(0, 10, Double.NaN, 1)).isFalse();
        assertThat(new Pace.Fixed(2).within(0).another(1, 1, 0, 0)).isTrue();
    }

    @Test
    void limitsAreChecked() {
        assertThatThrownBy(() -> new Pace.Fixed(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AUTO.atMost(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
