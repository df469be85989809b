package dev.pgkq.quadrature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a rule must do besides if it neither draws nor looks at the order of the points. */
abstract class OrderFreeRuleContract extends QuadratureRuleContract {
    @Test
    void thePointsMayComeInAnyOrder() {
        GramMatrix gram = PointClouds.gaussian(PointClouds.normal(30, 3, PointClouds.stream(6)), 3, 6, 0);
        int[] order = new int[30];
        Arrays.setAll(order, i -> i);
        PointClouds.stream(7).shuffle(order);
        double before = gram.squaredError(valid(gram, 6));
        GramMatrix permuted = PointClouds.permuted(gram, order);
        assertThat(permuted.squaredError(valid(permuted, 6))).isCloseTo(before, offset(1e-12));
    }
}
