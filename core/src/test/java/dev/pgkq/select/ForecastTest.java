package dev.pgkq.select;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.kernel.StepCredits;
import dev.pgkq.kernel.StepFactors;
import dev.pgkq.quadrature.WeightedPoints;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForecastTest {
    private final Forecast forecast = new Forecast(
            new double[] {8, 4, 2, 1},
            0.5,
            3,
            new StepCredits(StepFactors.ones(), Credit.Target.REWARDS, new Credit(AdvantageForm.E1, 0.9, true)),
            new double[] {1, 1, 1, 1, 1});

    /** What did not arrive has not reduced the error. */
    @Test
    void aSelectionOfFewerEpisodesExpectsTheErrorWithThose() {
        Selection selection = new Selection(WeightedPoints.equal(4, 0, 2), Optional.empty(), Optional.of(forecast));
        Forecast one = selection.on(4).forecast().orElseThrow();
        assertThat(one.before()).isEqualTo(8);
        assertThat(one.after()).isEqualTo(4);
        assertThat(one.next()).isEqualTo(2);
        assertThat(one.inflation()).isEqualTo(3);
        assertThat(selection.on().forecast().orElseThrow().after()).isEqualTo(8);
        assertThat(selection.on(4, 0, 1).forecast()).contains(forecast);
    }
}
