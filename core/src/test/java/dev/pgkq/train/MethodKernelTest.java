package dev.pgkq.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Tasks;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.reward.Grain;
import dev.pgkq.train.TrainSettings.Advantage;
import dev.pgkq.train.TrainSettings.Preset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MethodKernelTest {
    private static EpisodicKernel kernel(TrainSettings settings) {
        EnvironmentSpec spec = Tasks.named("Pendulum-v1").spec();
        Policy policy = Policy.initialize(spec, 1);
        try (Workers workers = new Workers(1)) {
            return Method.compose(spec, settings, policy, workers).kernel().orElseThrow();
        }
    }

    /** Only the shift of standardised advantages subtracts a mean score, and only scores have one to subtract. */
    @ParameterizedTest
    @ValueSource(strings = {"ppo-kq", "ppo-kq-no-mean", "vpg-kq-plus"})
    void scoresAreCentredIfAdvantagesAreStandardised(String algorithm) {
        TrainSettings defaults = TrainSettings.defaults(Algorithm.named(algorithm), 1);
        Advantage advantage = defaults.advantage();
        TrainSettings raw = defaults.withAdvantage(
                new Advantage(advantage.discount(), advantage.estimator(), advantage.stepDiscount(), false));
        SelectionSettings scalar = defaults.selection().withKernel(SelectionSettings.Kernel.SCALAR);

        assertThat(kernel(defaults).centred()).isTrue();
        assertThat(kernel(raw).centred()).isFalse();
        assertThat(kernel(defaults.withSelection(scalar)).centred()).isFalse();
        assertThat(kernel(TrainSettings.defaults(Preset.PAPER, Algorithm.named(algorithm), Grain.STEP, 1))
                        .centred())
                .isFalse();
    }
}
