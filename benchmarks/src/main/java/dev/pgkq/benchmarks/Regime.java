package dev.pgkq.benchmarks;

import dev.pgkq.reward.Grain;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.TrainSettings.Preset;

/** How rewards become the gradient that contenders estimate. */
enum Regime {
    /** As runs train by default: bootstrapped, without γ^t, standardized advantages and targets. */
    STANDARD(Preset.STANDARD),
    /** The paper's formulas: E2, with γ^t, nothing standardized. */
    PAPER(Preset.PAPER);

    private final Preset preset;

    Regime(Preset preset) {
        this.preset = preset;
    }

    /** The settings of the run whose batches the contenders see. */
    TrainSettings large(Grain grain, int batch, int select, long seed) {
        return TrainSettings.defaults(preset, Algorithm.named("ppo-large"), grain, seed)
                .withBatch(batch)
                .withSelect(select);
    }
}
