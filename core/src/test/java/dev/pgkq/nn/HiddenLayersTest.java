package dev.pgkq.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.state.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

class HiddenLayersTest {
    @Test
    void theyLieBetweenInputsAndOutputs() {
        assertThat(HiddenLayers.STANDARD.between(3, 2).sizes()).containsExactly(3, 200, 100, 2);
        assertThat(new HiddenLayers(List.of(64), Activation.TANH).between(3, 2).sizes())
                .containsExactly(3, 64, 2);
    }

    @Test
    void impossibleLayersAreRejected() {
        assertThatThrownBy(() -> new HiddenLayers(List.of(), Activation.RELU))
                .hasMessage("a network needs 1 to 10 hidden layers, got 0");
        assertThatThrownBy(() -> new HiddenLayers(List.of(64, 0), Activation.RELU))
                .hasMessage("a hidden layer needs 1 to 10000 units, got 0");
    }

    @Test
    void aCheckpointWithAnotherActivationDoesNotFit() {
        Mlp tanh = new HiddenLayers(List.of(4), Activation.TANH).between(1, 1);
        Snapshot.Builder builder = new Snapshot.Builder();
        tanh.describe("net", "identity", builder);
        Snapshot saved = builder.build();
        assertThat(saved.attributes()).containsEntry("net/hidden_activation", "tanh");
        tanh.requireActivation("net", saved);
        assertThatThrownBy(() -> new Mlp(1, 4, 1).requireActivation("net", saved))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the saved network 'net' has the activation tanh, not relu");
    }

    @Test
    void aLinearScheduleFallsInEqualSteps() {
        LearningRateSchedule linear = new LearningRateSchedule.Linear(4);
        assertThat(new double[] {
                    linear.factor(1), linear.factor(2), linear.factor(3), linear.factor(4), linear.factor(9)
                })
                .containsExactly(1, 0.75, 0.5, 0.25, 0);
        assertThat(new LearningRateSchedule.Constant().factor(7)).isEqualTo(1);
        assertThatThrownBy(() -> new LearningRateSchedule.Linear(0)).hasMessageContaining("at least 1");
    }
}
