package dev.pgkq.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnitReturnsTest {
    private static final Map<String, double[]> RETURNS = Map.of(
            "ppo 1", new double[] {10, 20, 30},
            "ppo 1e3", new double[] {12, 22, 35},
            "ppo 1+5", new double[] {10, 21, 29},
            "vpg 1", new double[] {-100, -100, -100},
            "vpg 1e3", new double[] {-90, -100, -110},
            "vpg 1+5", new double[] {-130, -120, -110});

    private final UnitReturns returns = new UnitReturns(
            List.of("ppo", "vpg"),
            List.of("1", "1e3", "1+5"),
            3,
            (algorithm, unit, seed) -> RETURNS.getOrDefault(algorithm + " " + unit, new double[0])[seed - 1]);

    @Test
    void theClearestPairedDifferenceHasAnIntervalThatCoversAllUnits() {
        // differences 2, 2, 5: mean 3, standard error 1; −30, −20, −10: mean −20, standard error 10/√3. The quantile of
        // Student's t with two degrees of freedom at 1 − 0.05 / 4 is √(2 (2p − 1)² / (1 − (2p − 1)²)) = 6.2053.
        assertThat(returns.lines().get(1)).containsExactly("ppo", "20 ± 10", "23 ± 12", "20 ± 10", "+3 [-3, +9]");
        assertThat(returns.lines().get(2).getLast()).isEqualTo("-20 [-56, +16]");
    }

    @Test
    void theLastLineIsTheMeanOfRelativeDifferences() {
        // by seed (0.1 + 0.1)/2, (0.1 + 0)/2, (0.25 − 0.1)/2: mean 0.075, standard error 0.025/√3, quantile as above
        assertThat(returns.lines().getLast().get(2)).isEqualTo("+7.5 % [-1.5, +16.5]");
    }

    @Test
    void theFileHasEveryRun() {
        assertThat(returns.csv("Pendulum-v1").lines())
                .hasSize(1 + 18)
                .startsWith("task,algorithm,unit,seed,return", "Pendulum-v1,ppo,1,1,10.0")
                .endsWith("Pendulum-v1,vpg,1+5,3,-110.0");
    }
}
