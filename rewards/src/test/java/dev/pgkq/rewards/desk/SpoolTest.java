package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpoolTest {
    private static final LedgerKey ONE = new LedgerKey("1".repeat(64));
    private static final LedgerKey TWO = new LedgerKey("2".repeat(64));
    private static final Reply STEPS = Reply.ofSteps(new double[] {0.1, -0.0, Double.MIN_VALUE, 1e300}, 0.25);
    private static final Reply WHOLE = Reply.ofEpisode(Math.PI, 0);

    @TempDir
    private Path folder = Path.of("");

    private Path own = Path.of("");
    private Path temporary = Path.of("");

    @BeforeEach
    void makeTheTemporaryFolder() throws IOException {
        own = folder.resolve("run").resolve("spool");
        temporary = Files.createDirectory(folder.resolve("temporary"));
    }

    private Spool spool() {
        return new Spool(own, temporary, "abc");
    }

    private static Reply found(Spool spool, LedgerKey key, int steps) {
        return Spool.read(Spool.find(key, spool.folders()).orElseThrow(), steps, 0);
    }

    @Test
    void whatIsPutIsFoundByTheNextOneAndTheFolderGoesWithTheLast() {
        Spool spool = spool();
        assertThat(spool.put(ONE, STEPS)).hasParent(own);
        spool.put(TWO, WHOLE);
        assertThat(found(spool(), ONE, 4)).isEqualTo(STEPS);
        assertThat(found(spool(), TWO, 9)).isEqualTo(WHOLE);
        Spool.remove(own.resolve(ONE + ".json"));
        assertThat(Spool.find(ONE, spool().folders())).isEmpty();
        Spool.remove(own.resolve(TWO + ".json"));
        assertThat(own).doesNotExist();
    }

    @Test
    void whereTheRunTakesNothingTheSystemsTemporaryFolderDoes() throws IOException {
        Files.createFile(folder.resolve("run"));
        Spool spool = spool();
        Path file = spool.put(ONE, STEPS);
        assertThat(file.getParent()).hasParent(temporary);
        assertThat(spool.put(TWO, WHOLE)).hasParent(file.getParent());
        assertThat(found(spool(), ONE, 4)).isEqualTo(STEPS);
        assertThat(new Spool(own, temporary, "other").folders())
                .as("another run's")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"run[1]", "a[b", "{x", "a*"})
    void namesWithSpecialCharactersOfPatternsAreFound(String run) throws IOException {
        Files.createFile(folder.resolve("run"));
        Path file = new Spool(own, temporary, run).put(ONE, STEPS);
        assertThat(new Spool(own, temporary, run).folders()).containsExactly(file.getParent());
        assertThat(new Spool(own, temporary, "run1").folders()).isEmpty();
    }

    @Test
    void whatDoesNotSayWhatItCostCostTheUsual() throws IOException {
        Path file = spool().put(ONE, WHOLE);
        Files.writeString(file, "{\"return\": 2}");
        assertThat(Spool.read(file, 4, 0.5)).isEqualTo(Reply.ofEpisode(2, 0.5));
    }

    @Test
    void whereNothingTakesItThatIsSaid() throws IOException {
        Files.createFile(folder.resolve("run"));
        Files.delete(temporary);
        assertThatThrownBy(() -> spool().put(ONE, STEPS))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(temporary.toString());
        assertThat(spool().folders()).isEmpty();
    }

    @Test
    void aFileThatIsNoAnswerToTheQuestionIsNamed() throws IOException {
        Path file = spool().put(ONE, STEPS);
        assertThatThrownBy(() -> Spool.read(file, 3, 0))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll(file.toString(), "Fix the file, or remove it");
        Files.writeString(file, "{\"rewards\": [0.1, ");
        assertThatThrownBy(() -> Spool.read(file, 4, 0))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(file.toString());
        assertThat(Spool.find(ONE, List.of(own))).isEqualTo(Optional.of(file));
    }
}
