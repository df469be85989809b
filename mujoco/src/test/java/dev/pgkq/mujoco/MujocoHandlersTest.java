package dev.pgkq.mujoco;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.env.Outcome;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MujocoHandlersTest {
    @TempDir
    Path folder;

    /** Makes MuJoCo warn, then fail. */
    static final class WarnsThenFails {
        public static void main(String[] args) throws Throwable {
            try (MujocoEnvironment hopper = new Hopper()) {
                double[] speeds = new double[6];
                Arrays.fill(speeds, 1e11);
                hopper.setState(new double[6], speeds);
                Outcome outcome = hopper.step(new float[3]);
                System.out.println("warned: " + outcome);
            }
            try (Arena arena = Arena.ofConfined()) {
                Linker.nativeLinker()
                        .downcallHandle(
                                Mujoco.get().library().symbols().findOrThrow("mju_error"),
                                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS))
                        .invoke(arena.allocateFrom("stack overflow"));
            }
            System.out.println("came back");
        }
    }

    @Test
    void anErrorOfMujocoEndsTheProcessWithWordsThatHelpAndLeavesNoLogBehind() throws Exception {
        OtherProcess process = OtherProcess.run(WarnsThenFails.class, folder, List.of(), Map.of());

        assertThat(process.errors()).contains("stack overflow", "intact", "resumed");
        assertThat(process.exitCode()).isEqualTo(70);
        assertThat(process.output()).contains("warned: DIVERGED").doesNotContain("came back");
        assertThat(folder).isEmptyDirectory();
    }
}
