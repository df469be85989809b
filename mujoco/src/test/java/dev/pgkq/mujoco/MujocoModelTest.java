package dev.pgkq.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.Environment;
import dev.pgkq.env.Task;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MujocoModelTest {
    static Stream<Task> tasks() {
        return new MujocoTasks().tasks().stream();
    }

    @ParameterizedTest
    @CsvSource({
        "inverted_double_pendulum, 3, 1, 1, 0.01",
        "hopper, 6, 3, 0, 0.002",
        "half_cheetah, 9, 6, 0, 0.01",
        "walker2d, 9, 6, 0, 0.002"
    })
    void theStructTableReadsTheFiguresOfTheModelFile(String name, int joints, int motors, int sites, double timestep) {
        MujocoModel model = Mujoco.get().model(name);

        assertThat(model.positions()).isEqualTo(joints);
        assertThat(model.velocities()).isEqualTo(joints);
        assertThat(model.controls()).isEqualTo(motors);
        assertThat(model.sites()).isEqualTo(sites);
        assertThat(model.timestep()).isEqualTo(timestep);
    }

    @Test
    void theReferencePoseIsTheOneOfTheModelFile() {
        assertThat(Mujoco.get().model("hopper").referencePositions()).containsExactly(0, 1.25, 0, 0, 0, 0);
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void theActionRangesOfTheSpecAreThoseOfTheMotors(Task task) {
        try (Environment environment = task.open()) {
            double[] ranges = ((MujocoEnvironment) environment).model().controlRanges();
            ActionSpace.Box actions = (ActionSpace.Box) environment.spec().actions();
            for (int i = 0; i < actions.size(); i++) {
                assertThat(actions.low()[i]).isEqualTo((float) ranges[2 * i]);
                assertThat(actions.high()[i]).isEqualTo((float) ranges[2 * i + 1]);
            }
            assertThat(ranges).hasSize(2 * actions.size());
        }
    }

    @Test
    void aModelIsLoadedOnceAndShared() {
        assertThat(Mujoco.get().model("hopper")).isSameAs(Mujoco.get().model("hopper"));
    }

    @Test
    void aModelThatMujocoRejectsIsAnExceptionWithItsReason() {
        byte[] xml = "<mujoco><worldbody><wheel/></worldbody></mujoco>".getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> MujocoModel.ofXml(Mujoco.get(), "wheel", xml))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MuJoCo rejects the model wheel")
                .hasMessageContaining("unrecognized element");
    }
}
