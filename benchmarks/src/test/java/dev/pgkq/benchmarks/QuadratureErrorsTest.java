package dev.pgkq.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QuadratureErrorsTest {
    @Test
    void everyRuleIsAMultipleOfTheLocalSearchAndGainsByTheBestWeights() {
        for (QuadratureErrors.Kernel kernel : QuadratureErrors.KERNELS) {
            List<Row> rows = QuadratureErrors.rows(kernel, 3, 2);
            assertThat(rows).hasSameSizeAs(QuadratureRules.RULES);
            for (Row row : rows) {
                assertThat(row.what()).contains(kernel.name());
                double own = multiple(row.ours());
                double simplex = multiple(row.peer());
                assertThat(simplex).as(row.what()).isBetween(0.99, own);
                assertThat(Double.parseDouble(row.ratio())).isGreaterThanOrEqualTo(1);
            }
            assertThat(multiple(rows.getFirst().ours()))
                    .as("a random subset is worse")
                    .isGreaterThan(1.1);
        }
    }

    private static double multiple(String text) {
        return Double.parseDouble(text.replaceFirst("×.*", ""));
    }
}
