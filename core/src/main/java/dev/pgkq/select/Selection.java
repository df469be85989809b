package dev.pgkq.select;

import dev.pgkq.kernel.KernelView;
import dev.pgkq.quadrature.SimplexWeights;
import dev.pgkq.quadrature.WeightedPoints;
import java.util.Optional;

/**
 * Which episodes of a batch are paid for, with what weights, and the kernel that chose them.
 *
 * @param points the episodes and their weights
 * @param kernel what a kernel saw of the batch; empty where none was asked
 */
public record Selection(WeightedPoints points, Optional<KernelView> kernel) {
    /** These episodes instead, with the best weights that the kernel knows, or equal ones where there is none. */
    public Selection on(int... indices) {
        WeightedPoints instead = kernel.map(view -> SimplexWeights.of(view.gram(), indices))
                .orElseGet(() -> WeightedPoints.equal(indices));
        return new Selection(instead, kernel);
    }

    /** Points that were chosen without a kernel. */
    public static Selection withoutKernel(WeightedPoints points) {
        return new Selection(points, Optional.empty());
    }
}
