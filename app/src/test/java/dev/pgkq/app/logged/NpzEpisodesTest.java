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

class NpzEpisodesTest {
    private static final byte[] SIX = Npys.floats("(3, 2)", 1, 2, 3, 4, 5, 6);
    private static final byte[] THREE = Npys.floats("(3, 1)", 7, 8, 9);

    @TempDir
    private Path folder = Path.of("");

    private LoggedEpisodes read(byte[] bytes) throws IOException {
        return EpisodeFile.read(Files.write(folder.resolve("episodes.npz"), bytes), what -> {});
    }

    private LoggedEpisodes read(byte[] observations, byte[] actions, Map<String, byte[]> others) throws IOException {
        Map<String, byte[]> arrays = new HashMap<>(others);
        arrays.put("observations", observations);
        arrays.put("actions", actions);
        return read(Npys.zip(arrays));
    }

    private void refused(String words, byte[] observations, byte[] actions, Map<String, byte[]> others) {
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
     * Made with NumPy 2.4: observations of i + t / 10 + d / 100, actions of minus their first number, as 3 × 4 steps in
     * float64 with NaN after the lengths 4, 0, 2 (savez_compressed), and one after the other in float32 with starts (savez).
     */
    @Test
    void whatNumPyWrote() throws IOException {
        for (String name : List.of("padded.npz", "flat.npz")) {
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
        }
        assertThat(ofNumPy("padded.npz").places()).containsExactly(0, 2);
        assertThat(ofNumPy("padded.npz").empty()).containsExactly(1);
        assertThat(ofNumPy("padded.npz").steps().starts()).containsExactly(0, 4, 6);
    }

    /** Starts 0, 4, 4 of 6 steps: the second episode is empty. */
    @Test
    void startsOfNumPy() throws IOException {
        LoggedEpisodes episodes = ofNumPy("flat.npz");
        assertThat(episodes.places()).containsExactly(0, 2);
        assertThat(episodes.steps().starts()).containsExactly(0, 4, 6);
        assertThat(episodes.ids()).containsExactly("", "");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    fortran.npz       | the array 'observations' is stored column by column (Fortran order): save numpy.ascontiguousarray
                    big-endian.npz    | the array 'observations' is big-endian ('>f4'): .astype("<f4") converts it
                    objects.npz       | the array 'observations' holds Python objects, which are not read
                    whole-numbers.npz | the array 'actions' has the type '<i8': read are float32 and float64
                    structured.npz    | the array 'observations' has a type made of several
                    other-names.npz   | has no array 'observations'; did you mean obs?
                    """)
    void whatNumPyWroteAndIsNotRead(String name, String message) {
        assertThatThrownBy(() -> ofNumPy(name))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("episodes.npz")
                .hasMessageContaining(message);
    }

    @Test
    void lengthsAndStartsOfStepsOneAfterTheOther() throws IOException {
        for (Map<String, byte[]> others : List.of(
                Map.of("lengths", Npys.counts(1, 2)),
                Map.of("starts", Npys.counts(0, 1)),
                Map.of("starts", Npys.counts(0, 1, 3)))) {
            LoggedEpisodes episodes = read(SIX, THREE, others);
            assertThat(episodes.steps().starts()).containsExactly(0, 1, 3);
            assertThat(episodes.steps().observations()).containsExactly(1, 2, 3, 4, 5, 6);
            assertThat(episodes.steps().actions()).containsExactly(7, 8, 9);
        }
    }

    @Test
    void whatAStepIsMustBeSaid() {
        refused("neither lengths nor starts: one of them should say which are whose", SIX, THREE, Map.of());
        refused("both lengths and starts", SIX, THREE, Map.of("lengths", Npys.counts(3), "starts", Npys.counts(0)));
        refused("has 3 steps, and its lengths are 4 in all", SIX, THREE, Map.of("lengths", Npys.counts(1, 3)));
        refused("'lengths' has -1 in place 1", SIX, THREE, Map.of("lengths", Npys.counts(4, -1)));
        refused("should begin with 0 and ascend", SIX, THREE, Map.of("starts", Npys.counts(1, 2)));
        refused("and has 2 before 1", SIX, THREE, Map.of("starts", Npys.counts(0, 2, 1)));
        refused("and has 5 before 3", SIX, THREE, Map.of("starts", Npys.counts(0, 5)));
        refused("its lengths are 0 in all", SIX, THREE, Map.of("lengths", Npys.counts()));
        refused(
                "'lengths' should be a list of numbers and has the shape (3 × 1)",
                SIX,
                THREE,
                Map.of("lengths", THREE));
        refused("'lengths' has the type '<f4'", SIX, THREE, Map.of("lengths", Npys.floats("(1,)", 3)));
    }

    @Test
    void shapesMustFit() {
        byte[] cube = Npys.floats("(1, 3, 2)", 1, 2, 3, 4, 5, 6);
        byte[] thin = Npys.floats("(1, 3, 1)", 1, 2, 3);
        refused("observations of the shape (1 × 3 × 2) and actions of (3 × 1)", cube, THREE, Map.of());
        refused("(3 × 2) and actions of (3)", SIX, Npys.floats("(3,)", 1, 2, 3), Map.of());
        refused("(3 × 2) and actions of (2 × 1)", SIX, Npys.floats("(2, 1)", 1, 2), Map.of());
        refused("observations of the shape ()", Npys.floats("()", 1), Npys.floats("()", 1), Map.of());
        refused("a step should have at least a number of both", SIX, Npys.floats("(3, 0)"), Map.of());
        refused("2 lengths for 1 episodes", cube, thin, Map.of("lengths", Npys.counts(1, 2)));
        refused(
                "gives episode 0 the length 4, and has room for 3 steps",
                cube,
                thin,
                Map.of("lengths", Npys.counts(4)));
        refused("has starts, which go with arrays of steps", cube, thin, Map.of("starts", Npys.counts(0)));
        refused("has no episodes", Npys.floats("(0, 3, 2)"), Npys.floats("(0, 3, 1)"), Map.of());
        refused(
                "has no episode with a step: 2 are empty",
                Npys.floats("(2, 0, 2)"),
                Npys.floats("(2, 0, 1)"),
                Map.of());
        refused(
                "actions of episode 0, step 1 have NaN in place 0",
                cube,
                Npys.floats("(1, 3, 1)", 1, Float.NaN, 3),
                Map.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    {'descr': '<f4', 'fortran_order': False, 'shape': (3, 1), }     | needs 12 bytes and has 8: it is damaged
                    {'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }     | needs 4 bytes and has 8: it is damaged
                    {'descr': '<f4', 'fortran_order': False, 'shape': (99999, 99999, 0), }  | at most 134217728 numbers are read
                    {'descr': '<f4', 'fortran_order': False, 'shape': (134217728, 1), } | needs 536870912 bytes and has 8
                    {'descr': '<f4', 'fortran_order': False, 'shape': (99999999999,), } | has the shape (99999999999,), which is not read
                    {'descr': '<f4', 'fortran_order': False, 'shape': (1 2), }      | has the shape (1 2), which is not read
                    {'descr': '<f4', 'fortran_order': False, 'shape': (-1, 2), }    | has a header without descr, fortran_order or shape
                    {'descr': '<f4', 'shape': (2, 1), }                             | has a header without descr, fortran_order or shape
                    {'descr': '<f2', 'fortran_order': False, 'shape': (4, 1), }     | has the type '<f2'
                    {'descr': '=f4', 'fortran_order': False, 'shape': (2, 1), }     | has the type '=f4'
                    {'descr': '<c8', 'fortran_order': False, 'shape': (1, 1), }     | has the type '<c8'
                    {'descr': '', 'fortran_order': False, 'shape': (1, 1), }        | has the type ''
                    nonsense                                                        | has a header without descr, fortran_order or shape: nonsense
                    """)
    void headersThatLie(String header, String message) {
        refused(message, Npys.array(header, new byte[8]), THREE, Map.of());
    }

    /** The keys may come in any order, as the format says, and shapes of Python 2 have an L. */
    @Test
    void headersOfOthers() throws IOException {
        ByteBuffer values = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        values.putDouble(1.5).putDouble(2.5);
        byte[] wide = Npys.array("{\"shape\": (2L,1L), \"fortran_order\":False,  \"descr\":\"<f8\"}", values.array());
        LoggedEpisodes episodes = read(
                wide,
                wide,
                Map.of("lengths", Npys.array("{'descr': '|u1', 'fortran_order': False, 'shape': (1,)}", new byte[] {2
                })));
        assertThat(episodes.steps().observations()).containsExactly(1.5f, 2.5f);
    }

    @Test
    void damageIsNoticed() throws IOException {
        byte[] sound = Npys.zip(Map.of("observations", SIX, "actions", THREE, "lengths", Npys.counts(3)));
        assertThat(read(sound).count()).isEqualTo(1);
        assertThatThrownBy(() -> read(Arrays.copyOf(sound, sound.length - 10)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is not a sound .npz file");
        // Every byte of the archive, one at a time: what comes of it is other data in no case.
        for (int i = 0; i < sound.length; i++) {
            byte[] damaged = sound.clone();
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
    void otherFilesAreCalledByTheirName() {
        assertThatThrownBy(() -> read(SIX))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is a single array of NumPy's: save observations and actions together");
        assertThatThrownBy(() -> read(new byte[] {'P', 'K', 3, 4, 5}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is not a sound .npz file");
        refused("'observations' is not in NumPy's format", new byte[] {1, 2, 3}, THREE, Map.of());
        byte[] later = SIX.clone();
        later[6] = 9;
        refused("is of version 9 of NumPy's format", later, THREE, Map.of());
    }
}
