package dev.pgkq.select;

import dev.pgkq.kernel.KernelView;
import dev.pgkq.quadrature.SimplexWeights;
import dev.pgkq.quadrature.WeightedPoints;
import java.util.Arrays;
import java.util.Optional;

/**
 * The episodes of a batch to pay for, their weights, and the kernel that chose them.
 *
 * @param points the episodes and their weights
 * @param kernel the kernel's view of the batch; empty if no kernel was used
 * @param forecast what is expected of the choice; empty if nothing was forecast
 */
public record Selection(WeightedPoints points, Optional<KernelView> kernel, Optional<Forecast> forecast) {
    /**
     * Creates a selection without a forecast.
     *
     * @param points the episodes and their weights
     * @param kernel the kernel's view of the batch; empty if no kernel was used
     */
    public Selection(WeightedPoints points, Optional<KernelView> kernel) {
        this(points, kernel, Optional.empty());
    }

    /**
     * {@return a selection of the given episodes, with optimal weights for the kernel, or equal weights without one or without
     * episodes}
     *
     * @param indices places of the episodes in the batch, each once
     * @throws IllegalArgumentException if an index occurs twice
     */
    public Selection on(int... indices) {
        WeightedPoints instead = kernel.filter(view -> indices.length > 0)
                .map(view -> SimplexWeights.of(view.gram(), indices))
                .orElseGet(() -> WeightedPoints.equal(indices));
        return new Selection(instead, kernel, forecast.map(all -> all.of(indices.length)));
    }

    /**
     * {@return this selection if it has at most so many episodes, otherwise one of the first of them, with new weights}
     *
     * @param most number of episodes
     */
    public Selection limitedTo(int most) {
        return points.size() <= most ? this : on(Arrays.copyOf(points.indices(), most));
    }

    /**
     * {@return this selection if it has the episode or none at all, otherwise one with the episode in place of the last one of least
     * weight, with new weights}
     *
     * @param index place of the episode in the batch
     */
    public Selection including(int index) {
        int[] indices = points.indices().clone();
        if (indices.length == 0 || Arrays.stream(indices).anyMatch(place -> place == index)) {
            return this;
        }
        int least = 0;
        for (int i = 1; i < indices.length; i++) {
            if (points.weights()[i] <= points.weights()[least]) {
                least = i;
            }
        }
        indices[least] = index;
        return on(indices);
    }

    /**
     * {@return a selection that was made without a kernel}
     *
     * @param points the episodes and their weights
     */
    public static Selection withoutKernel(WeightedPoints points) {
        return new Selection(points, Optional.empty());
    }
}
