package dev.pgkq.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.env.Recorder;
import dev.pgkq.env.Recording;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Episode;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Episodes that are played again, for what the environment says and shows. */
class PythonRecorderTest {
    private static final Recording.Options ALL = new Recording.Options(true, 1000);

    @TempDir
    private Path folder = Path.of("");

    private PythonSettings settings() {
        return PythonTasksTest.settings().withLog(() -> Optional.of(folder.resolve("python.log")));
    }

    private Task drawn(String factory) {
        return PythonTasksTest.own("drawn", factory, settings());
    }

    private static Recording record(Task task, Episode episode, Recording.Options options) {
        try (Recorder recorder = task.openRecorder().orElseThrow()) {
            return recorder.record(episode.playback(task.spec()), options);
        }
    }

    private static List<Integer> steps(Recording recording) {
        return recording.frames().stream().map(Recording.Frame::step).toList();
    }

    private static int[] pixel(Recording.Frame frame, int x, int y) throws IOException {
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(frame.png()));
        int rgb = image.getRGB(x, y);
        return new int[] {rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255};
    }

    @Test
    void framesShowTheEpisodeStepByStep() throws IOException {
        Task task = drawn("Walk");
        for (Episode episode : PythonTasksTest.sample(task, 1, 2)) {
            Recording recording = record(task, episode, ALL);
            assertThat(recording.framesPerSecond()).isEqualTo(25);
            assertThat(recording.frames()).hasSize(13);
            for (int t = 0; t <= 12; t++) {
                Recording.Frame frame = recording.frames().get(t);
                assertThat(frame.step()).isEqualTo(t);
                assertThat(pixel(frame, 0, 0)).containsExactly(t, 10, 20);
                assertThat(pixel(frame, 1, 1)).containsExactly(200, 200, 200);
                int action = t == 0 ? 9 : episode.actions()[2 * (t - 1) + 1] == 1 ? 1 : 0;
                assertThat(pixel(frame, 4, 2)).containsExactly(30, 40, action);
            }
        }
    }

    @Test
    void infosAreTheNumbersTruthValuesAndShortTextsThatResetAndStepReturn() {
        Task task = drawn("Walk");
        Episode episode = PythonTasksTest.sample(task, 1, 1).getFirst();
        Recording recording = record(task, episode, new Recording.Options(true, 3));
        assertThat(steps(recording)).containsExactly(0, 6, 12);
        assertThat(recording.infos()).hasSize(13);
        assertThat(recording.infos().getFirst())
                .isEqualTo("{\"start\": true, \"note\": \"here we go\", \"seed\": " + (long) episode.states()[0] + "}");
        String third = recording.infos().get(3);
        assertThat(third).contains("\"steps\": 3, \"half\": 0.5, \"odd\": true, \"distance\": null}");
        double x = Double.parseDouble(third.replaceAll("\\{\"x\": ([^,]*),.*", "$1"));
        assertThat((float) x).isEqualTo(episode.observations()[3]);
    }

    @Test
    void anEnvironmentThatDrawsNothingHasNoFrames() {
        Task task = drawn("Bare");
        Recording recording = record(task, PythonTasksTest.sample(task, 1, 1).getFirst(), ALL);
        assertThat(recording.frames()).isEmpty();
        assertThat(recording.infos()).hasSize(13);
    }

    @Test
    void anEnvironmentWithoutMetadataMayDraw() throws IOException {
        Task task = drawn("Plain");
        Recording recording = record(task, PythonTasksTest.sample(task, 1, 1).getFirst(), ALL);
        assertThat(recording.infos()).containsOnly("{}").hasSize(5);
        assertThat(recording.framesPerSecond()).isZero();
        assertThat(pixel(recording.frames().get(4), 1, 1)).containsExactly(4, 4, 4);
    }

    @Test
    void episodesOfGymnasiumArePlayedAgain() {
        Task task = PythonTasks.task("gym:Acrobot-v1", settings().withTimeLimit(40));
        List<Episode> episodes = PythonTasksTest.sample(task, 2, 3);
        try (Recorder recorder = task.openRecorder().orElseThrow()) {
            for (Episode episode : episodes) {
                assertThat(recorder.record(episode.playback(task.spec()), new Recording.Options(true, 0))
                                .infos())
                        .hasSize(41)
                        .containsOnly("{}");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Nothing | render must return an array of height × width × 3 numbers of type uint8, but returned None
                    Grey    | uint8, but returned an array of shape (4, 6) and type uint8
                    Bright  | uint8, but returned an array of shape (4, 6, 3) and type float64
                    Raising | render failed: RuntimeError: no screen
                    Dying   | the worker process ended with exit code 3, 3 times at the same step
                    Random  | an episode played again from its seed and actions gave another observation after step 5
                    Shorter | an episode played again from its seed and actions ended after step 4, not after step 12
                    """)
    void whatGoesWrongIsSaidInWords(String factory, String message) {
        Task task = drawn(factory);
        Episode episode = PythonTasksTest.sample(task, 1, 1).getFirst();
        assertThat(episode.length()).isEqualTo(12);
        assertThatThrownBy(() -> record(task, episode, ALL))
                .isInstanceOfSatisfying(
                        PythonException.class, e -> assertThat(e.problem()).isEqualTo(PythonException.Problem.FAILURE))
                .message()
                .contains(message)
                .contains(task.id())
                .doesNotContain("worker.py");
    }

    @Test
    void aProcessThatDiesWhileItDrawsTheEndIsReplaced() throws IOException {
        Path marker = folder.resolve("died");
        Task mortal =
                PythonTasksTest.own("drawn", "Mortal", settings().withArguments("{\"marker\": \"" + marker + "\"}"));
        Episode episode = PythonTasksTest.sample(mortal, 1, 1).getFirst();
        Recording recording = record(mortal, episode, ALL);
        assertThat(marker).exists();
        assertThat(pixel(recording.frames().getLast(), 0, 0)).containsExactly(12, 10, 20);
        assertThat(Files.readString(folder.resolve("python.log"))).contains("signal 9); started another one");
    }

    @Test
    void aRecorderGoesOnAfterAnEpisodeThatFailed() {
        Task task = drawn("Random");
        Episode random = PythonTasksTest.sample(task, 1, 1).getFirst();
        Task sound = drawn("Walk");
        Episode good = PythonTasksTest.sample(sound, 1, 1).getFirst();
        try (Recorder recorder = sound.openRecorder().orElseThrow()) {
            assertThatThrownBy(() -> recorder.record(random.playback(task.spec()), ALL))
                    .hasMessageContaining("gave another observation");
            assertThat(recorder.record(good.playback(sound.spec()), ALL).frames())
                    .hasSize(13);
        }
    }
}
