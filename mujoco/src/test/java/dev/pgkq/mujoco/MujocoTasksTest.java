package dev.pgkq.mujoco;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MujocoTasksTest {
    @TempDir
    Path folder;

    /** Lists the tasks, then opens one twice, in a process whose MuJoCo is missing. */
    static final class ListsThenOpens {
        public static void main(String[] args) {
            System.out.println(Tasks.all().stream().map(Task::id).toList());
            for (int attempt = 0; attempt < 2; attempt++) {
                try {
                    Tasks.named("Hopper-v4").open();
                } catch (MujocoException e) {
                    System.out.println(e.getMessage());
                }
            }
        }
    }

    @Test
    void theCatalogueHasTheTasksOfThePaper() {
        assertThat(Tasks.all())
                .extracting(Task::id)
                .contains("InvertedDoublePendulum-v4", "Hopper-v4", "HalfCheetah-v4", "Walker2d-v4");
    }

    @Test
    void listingNeedsNoMujocoAndOpeningSaysWhatIsWrongEveryTime() throws Exception {
        OtherProcess process =
                OtherProcess.run(ListsThenOpens.class, folder, List.of("-Dpgkq.mujoco=nowhere"), Map.of());

        assertThat(process.output()).contains("Hopper-v4");
        assertThat(process.output()
                        .split("cannot use the MuJoCo library nowhere given by the system property pgkq.mujoco", -1))
                .hasSize(3);
        assertThat(process.exitCode()).isZero();
    }
}
