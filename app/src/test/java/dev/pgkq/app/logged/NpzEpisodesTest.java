package dev.pgkq.app.logged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.text.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpzEpisodesTest {
    private static final byte[] SIX = NpyFiles.floats("(3, 2)", 1, 2, 3, 4, 5, 6);
    private static final byte[] THREE = NpyFiles.floats("(3, 1)", 7, 8, 9);

    @TempDir
    private Path folder = Path.of("");

    private LoggedEpisodes read(byte[] bytes) throws IOException {
        return EpisodeFile.read(Files.write(folder.resolve("episodes.npz"), bytes), what -> {});
    }

    private LoggedEpisodes read(byte[] observations, byte[] actions, Map<String, byte[]> others) throws IOException {
        Map<String, byte[]> arrays = new HashMap<>(others);
        arrays.put("observations", observations);
        arrays.put("actions", actions);
        return read(NpyFiles.zip(arrays));
    }

    private void assertRejected(String words, byte[] observations, byte[] actions, Map<String, byte[]> others) {
        assertThatThrownBy(() -> read(observations, actions, others))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("episodes.npz")
                .hasMessageContaining(words);
    }

    private LoggedEpisodes ofNumPy(String name) throws IOException {
        try (InputStream stream = NpzEpisodesTest.class.getResourceAsStream(name)) {
            return read(Objects.requireNonNull(stream).readAllBytes());
        }
    }

    /**
     * Files written by NumPy 2.4. Observations are i + t / 10 + d / 100, actions minus the first of them: as 3 × 4 steps in
     * float64, padded with NaN to lengths 4, 0, 2 (savez_compressed), and concatenated in float32 with starts (savez).
     */
    @ParameterizedTest
    @ValueSource(strings = {"padded.npz", "flat.npz"})
    void filesOfNumPyAreRead(String name) throws IOException {
        LoggedEpisodes episodes = ofNumPy(name);
        assertThat(episodes.observationSize()).isEqualTo(2);
        assertThat(episodes.actionSize()).isEqualTo(1);
        List<Float> observations = new ArrayList<>();
        List<Float> actions = new ArrayList<>();
        for (int[] step : new int[][] {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {2, 0}, {2, 1}}) {
            observations.add((float) (step[0] + step[1] / 10.0));
            observations.add((float) (step[0] + step[1] / 10.0 + 0.01));
            actions.add((float) -(step[0] + step[1] / 10.0));
        }
        assertThat(episodes.steps().observations())
                .usingComparatorWithPrecision(1e-6f)
                .containsExactly(observations.toArray(Float[]::new));
        assertThat(episodes.steps().actions())
                .usingComparatorWithPrecision(1e-6f)
                .containsExactly(actions.toArray(Float[]::new));
        assertThat(episodes.indices()).containsExactly(0, 2);
        assertThat(episodes.empty()).containsExactly(1);
        assertThat(episodes.steps().starts()).containsExactly(0, 4, 6);
        assertThat(episodes.ids()).containsExactly("", "");
    }

    /** Discrete actions are usually logged as integers. */
    @Test
    void wholeNumbersAreRead() throws IOException {
        assertThat(ofNumPy("whole-numbers.npz").steps().actions()).containsExactly(0, 0, 0, 0, 0, 0);
        byte[] bytes =
                NpyFiles.array("{'descr': '|i1', 'fortran_order': False, 'shape': (3, 1), }", new byte[] {2, -1, 0});
        assertThat(read(SIX, bytes, Map.of("lengths", NpyFiles.counts(3)))
                        .steps()
                        .actions())
                .containsExactly(2, -1, 0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    fortran.npz       | the array 'observations' is in column-major (Fortran) order; save numpy.ascontiguousarray
                    big-endian.npz    | the array 'observations' is big-endian ('>f4'); convert it with .astype("<f4")
                    objects.npz       | the array 'observations' contains Python objects, which are not supported
                    structured.npz    | the array 'observations' has a structured type
                    other-names.npz   | has no array 'observations'; did you mean obs?
                    """)
    void unsupportedFilesOfNumPyAreRejected(String name, String message) {
        assertThatThrownBy(() -> ofNumPy(name))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("episodes.npz")
                .hasMessageContaining(message);
    }

    static List<Map<String, byte[]>> lengthsAndStarts() {
        return List.of(
                Map.of("lengths", NpyFiles.counts(1, 2)),
                Map.of("starts", NpyFiles.counts(0, 1)),
                Map.of("starts", NpyFiles.counts(0, 1, 3)));
    }

    @ParameterizedTest
    @MethodSource("lengthsAndStarts")
    void lengthsOrStartsSeparateConcatenatedEpisodes(Map<String, byte[]> others) throws IOException {
        LoggedEpisodes episodes = read(SIX, THREE, others);
        assertThat(episodes.steps().starts()).containsExactly(0, 1, 3);
        assertThat(episodes.steps().observations()).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(episodes.steps().actions()).containsExactly(7, 8, 9);
    }

    @Test
    void invalidLengthsAndStartsAreRejected() {
        assertRejected(
                "neither lengths nor starts; exactly one of them must separate the episodes", SIX, THREE, Map.of());
        assertRejected(
                "both lengths and starts",
                SIX,
                THREE,
                Map.of("lengths", NpyFiles.counts(3), "starts", NpyFiles.counts(0)));
        assertRejected(
                "has 3 steps, but its lengths add up to 4", SIX, THREE, Map.of("lengths", NpyFiles.counts(1, 3)));
        assertRejected("'lengths' has -1 at index 1", SIX, THREE, Map.of("lengths", NpyFiles.counts(4, -1)));
        assertRejected("must begin with 0 and ascend", SIX, THREE, Map.of("starts", NpyFiles.counts(1, 2)));
        assertRejected("but have 2 before 1", SIX, THREE, Map.of("starts", NpyFiles.counts(0, 2, 1)));
        assertRejected("but have 5 before 3", SIX, THREE, Map.of("starts", NpyFiles.counts(0, 5)));
        assertRejected("its lengths add up to 0", SIX, THREE, Map.of("lengths", NpyFiles.counts()));
        assertRejected("'lengths' must be one-dimensional but has shape (3 × 1)", SIX, THREE, Map.of("lengths", THREE));
        assertRejected(
                "'lengths' has the unsupported type '<f4'", SIX, THREE, Map.of("lengths", NpyFiles.floats("(1,)", 3)));
    }

    @Test
    void shapesMustMatch() {
        byte[] cube = NpyFiles.floats("(1, 3, 2)", 1, 2, 3, 4, 5, 6);
        byte[] thin = NpyFiles.floats("(1, 3, 1)", 1, 2, 3);
        assertRejected("observations of shape (1 × 3 × 2) and actions of shape (3 × 1)", cube, THREE, Map.of());
        assertRejected("(3 × 2) and actions of shape (3)", SIX, NpyFiles.floats("(3,)", 1, 2, 3), Map.of());
        assertRejected("(3 × 2) and actions of shape (2 × 1)", SIX, NpyFiles.floats("(2, 1)", 1, 2), Map.of());
        assertRejected("observations of shape ()", NpyFiles.floats("()", 1), NpyFiles.floats("()", 1), Map.of());
        assertRejected("a step must have at least one number of each", SIX, NpyFiles.floats("(3, 0)"), Map.of());
        assertRejected("2 lengths for 1 episodes", cube, thin, Map.of("lengths", NpyFiles.counts(1, 2)));
        assertRejected(
                "has length 4 for episode 0, but only 3 steps per episode",
                cube,
                thin,
                Map.of("lengths", NpyFiles.counts(4)));
        assertRejected("has starts, which are for arrays of steps", cube, thin, Map.of("starts", NpyFiles.counts(0)));
        assertRejected("has no episodes", NpyFiles.floats("(0, 3, 2)"), NpyFiles.floats("(0, 3, 1)"), Map.of());
        assertRejected(
                "has only episodes without steps (2)",
                NpyFiles.floats("(2, 0, 2)"),
                NpyFiles.floats("(2, 0, 1)"),
                Map.of());
        assertRejected(
                "actions of episode 0, step 1 contain NaN at index 0",
                cube,
                NpyFiles.floats("(1, 3, 1)", 1, Float.NaN, 3),
                Map.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    {'descr': '<f4', 'fortran_order': False, 'shape': (3, 1), }     | needs 12 bytes but has 8
                    {'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }     | needs 4 bytes but has 8
                    {'descr': '<f4', 'fortran_order': False, 'shape': (99999, 99999, 0), }  | more than the maximum of 134217728 numbers
                    {'descr': '<f4', 'fortran_order': False, 'shape': (134217728, 1), } | needs 536870912 bytes but has 8
                    {'descr': '<f4', 'fortran_order': False, 'shape': (99999999999,), } | has an unsupported shape (99999999999,)
                    {'descr': '<f4', 'fortran_order': False, 'shape': (1 2), }      | has an unsupported shape (1 2)
                    {'descr': '<f4', 'fortran_order': False, 'shape': (-1, 2), }    | has a header without descr, fortran_order or shape
                    {'descr': '<f4', 'shape': (2, 1), }                             | has a header without descr, fortran_order or shape
                    {'descr': '<f2', 'fortran_order': False, 'shape': (4, 1), }     | has the unsupported type '<f2'
                    {'descr': '=f4', 'fortran_order': False, 'shape': (2, 1), }     | has the unsupported type '=f4'
                    {'descr': '<c8', 'fortran_order': False, 'shape': (1, 1), }     | has the unsupported type '<c8'
                    {'descr': '', 'fortran_order': False, 'shape': (1, 1), }        | has the unsupported type ''
                    nonsense                                                        | has a header without descr, fortran_order or shape: nonsense
                    """)
    void invalidHeadersAreRejected(String header, String message) {
        assertRejected(message, NpyFiles.array(header, new byte[8]), THREE, Map.of());
    }

    /** The format allows any order of the keys, and shapes written by Python 2 have an L. */
    @Test
    void unusualHeadersAreRead() throws IOException {
        ByteBuffer values = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        values.putDouble(1.5).putDouble(2.5);
        byte[] wide =
                NpyFiles.array("{\"shape\": (2L,1L), \"fortran_order\":False,  \"descr\":\"<f8\"}", values.array());
        LoggedEpisodes episodes = read(
                wide,
                wide,
                Map.of(
                        "lengths",
                        NpyFiles.array("{'descr': '|u1', 'fortran_order': False, 'shape': (1,)}", new byte[] {2})));
        assertThat(episodes.steps().observations()).containsExactly(1.5f, 2.5f);
    }

    @Test
    void corruptionIsDetected() throws IOException {
        byte[] valid = NpyFiles.zip(Map.of("observations", SIX, "actions", THREE, "lengths", NpyFiles.counts(3)));
        assertThat(read(valid).count()).isEqualTo(1);
        assertThatThrownBy(() -> read(Arrays.copyOf(valid, valid.length - 10)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is not a valid .npz file");
        // changes every byte of the archive in turn; the result must never be other data
        for (int i = 0; i < valid.length; i++) {
            byte[] damaged = valid.clone();
            damaged[i] ^= 0x10;
            try {
                LoggedEpisodes episodes = read(damaged);
                assertThat(episodes.steps().observations()).as("byte " + i).containsExactly(1, 2, 3, 4, 5, 6);
                assertThat(episodes.steps().actions()).as("byte " + i).containsExactly(7, 8, 9);
            } catch (UserException e) {
                assertThat(e).message().contains("episodes.npz").doesNotContainPattern("\\p{Cc}");
            }
        }
    }

    @Test
    void otherFormatsAreNamed() {
        assertThatThrownBy(() -> read(SIX))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is a single NumPy array; save observations and actions together");
        assertThatThrownBy(() -> read(new byte[] {'P', 'K', 3, 4, 5}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is not a valid .npz file");
        assertRejected("'observations' is not in NumPy format", new byte[] {1, 2, 3}, THREE, Map.of());
        byte[] later = SIX.clone();
        later[6] = 9;
        assertRejected("has version 9 of the NumPy format", later, THREE, Map.of());
    }
}
