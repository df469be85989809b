package dev.pgkq.select;

import dev.pgkq.kernel.KernelView;
import dev.pgkq.quadrature.SimplexWeights;
import dev.pgkq.quadrature.WeightedPoints;
import java.util.Optional;

/**
 * The episodes of a batch to pay for, their weights, and the kernel that chose them.
 *
 * @param points the episodes and their weights
 * @param kernel the kernel's view of the batch; empty if no kernel was used
 */
public record Selection(WeightedPoints points, Optional<KernelView> kernel) {
    /** Returns a selection of these episodes instead, with optimal weights for the kernel, or equal ones without it. */
    public Selection on(int... indices) {
        WeightedPoints instead = kernel.map(view -> SimplexWeights.of(view.gram(), indices))
                .orElseGet(() -> WeightedPoints.equal(indices));
        return new Selection(instead, kernel);
    }

    /** Returns a selection that was made without a kernel. */
    public static Selection withoutKernel(WeightedPoints points) {
        return new Selection(points, Optional.empty());
    }
}
