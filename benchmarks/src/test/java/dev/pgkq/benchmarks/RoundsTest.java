package dev.pgkq.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsTest {
    @Test
    void aSideIsJudgedByItsLowerQuartile() {
        Rounds rounds = Rounds.of(new double[] {1, 2, 3, 4, 100}, new double[] {8, 4, 6, 100, 2});

        assertThat(rounds.ours()).isEqualTo(2);
        assertThat(rounds.peer()).isEqualTo(4);
        assertThat(rounds.speedup()).isEqualTo(2);
    }

    @Test
    void aFewSlowRoundsDoNotMatter() {
        double[] quiet = {1, 1, 1, 1, 1, 1, 1, 1};
        double[] disturbed = {1, 1, 1, 1, 1, 50, 50, 50};

        assertThat(Rounds.of(disturbed, quiet).speedup()).isEqualTo(1);
    }

    @Test
    void quantilesInterpolate() {
        assertThat(Rounds.quantile(new double[] {3, 1}, 0.25)).isCloseTo(1.5, within(1e-12));
        assertThat(Rounds.quantile(new double[] {7}, 0.25)).isEqualTo(7);
    }

    @Test
    void sidesTakeTurnsAndTakeTurnsInGoingFirst() {
        List<String> order = new ArrayList<>();
        Rounds.alternate(1, 2, () -> note(order, "ours"), () -> note(order, "peer"));

        assertThat(order).containsExactly("ours", "peer", "ours", "peer", "peer", "ours");
    }

    @Test
    void bothSidesNeedAsManyRounds() {
        assertThatIllegalArgumentException().isThrownBy(() -> Rounds.of(new double[1], new double[2]));
        assertThatIllegalArgumentException().isThrownBy(() -> Rounds.of(new double[0], new double[0]));
    }

    private static double note(List<String> order, String who) {
        order.add(who);
        return 1;
    }
}
