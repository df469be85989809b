package dev.pgkq.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsFileTest {
    private static final List<String> COLUMNS = List.of("iteration", "return_mean", "wce");

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = folder.resolve("metrics.csv");
    }

    @Test
    void numbersArePlainAndTheShortestThatReadBack() throws IOException {
        try (MetricsFile metrics = MetricsFile.create(file, COLUMNS)) {
            metrics.append(Map.of("iteration", 1, "return_mean", 0.1f, "wce", 0.1));
            metrics.append(Map.of("iteration", 2L, "wce", Double.NaN));
            metrics.append(Map.of("wce", 1e-12, "iteration", 3, "return_mean", 1.0 / 3));
        }

        assertThat(Files.readString(file)).isEqualTo("""
                        iteration,return_mean,wce
                        1,0.1,0.1
                        2,,NaN
                        3,0.3333333333333333,1.0E-12
                        """);
    }

    @Test
    void columnsAreReadByName() {
        writeRows(3);

        Metrics metrics = Metrics.read(file);

        assertThat(metrics.size()).isEqualTo(3);
        assertThat(metrics.column("iteration")).containsExactly(1, 2, 3);
        assertThat(metrics.column("return_mean")).containsExactly(-1, -2, -3);
        assertThat(metrics.column("wce")).containsExactly(Double.NaN, Double.NaN, Double.NaN);
        assertThat(metrics.has("wce")).isTrue();
        assertThatThrownBy(() -> metrics.column("return_maen"))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll(file.toString(), "did you mean return_mean");
    }

    @Test
    void resumingDropsLaterRowsAndAHalfWrittenLineAndGoesOn() throws IOException {
        writeRows(5);
        Files.writeString(file, "6,-6", StandardOpenOption.APPEND);

        try (MetricsFile metrics = MetricsFile.openForResume(file, COLUMNS, 3)) {
            metrics.append(Map.of("iteration", 4, "return_mean", 44));
        }

        assertThat(Files.readString(file)).isEqualTo("iteration,return_mean,wce\n1,-1,\n2,-2,\n3,-3,\n4,44,\n");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    /** A row that is cut anywhere does not count as a row, even if the rest looks like one. */
    @Test
    void anyCutOfTheLastLineLeavesTheRowsBefore() throws IOException {
        writeRows(2);
        byte[] whole = Files.readAllBytes(file);
        for (int cut = 1; cut <= "2,-2,\n".length(); cut++) {
            Files.write(file, Arrays.copyOf(whole, whole.length - cut));
            assertThat(Metrics.read(file).column("iteration")).containsExactly(1);
            MetricsFile.openForResume(file, COLUMNS, 10).close();
            assertThat(Files.readString(file)).isEqualTo("iteration,return_mean,wce\n1,-1,\n");
        }
    }

    @Test
    void resumingBeforeTheFirstIterationLeavesTheHeader() throws IOException {
        writeRows(5);
        MetricsFile.openForResume(file, COLUMNS, 0).close();
        assertThat(Files.readString(file)).isEqualTo("iteration,return_mean,wce\n");
    }

    @Test
    void resumingWithoutAFileOrWithAHalfWrittenHeaderStartsOne() throws IOException {
        MetricsFile.openForResume(file, COLUMNS, 3).close();
        assertThat(Files.readString(file)).isEqualTo("iteration,return_mean,wce\n");
        Files.writeString(file, "iterat");
        MetricsFile.openForResume(file, COLUMNS, 3).close();
        assertThat(Files.readString(file)).isEqualTo("iteration,return_mean,wce\n");
    }

    @Test
    void columnsThatAnOlderVersionDidNotWriteStayBlank() throws IOException {
        Files.writeString(file, "iteration,return_mean,wce\n1,-1,0.5\n2,-2,\n3,-3,7\n");
        List<String> wanted = List.of("iteration", "kl", "return_mean", "wce", "paid_return");
        try (MetricsFile metrics = MetricsFile.openForResume(file, wanted, 2)) {
            metrics.append(Map.of("iteration", 3, "kl", 9, "paid_return", 8));
        }
        assertThat(file).hasContent("iteration,kl,return_mean,wce,paid_return\n1,,-1,0.5,\n2,,-2,,\n3,9,,,8\n");
    }

    @Test
    void otherColumnsAreRefusedAndTheFileIsLeftAlone() throws IOException {
        writeRows(2);
        String before = Files.readString(file);

        assertThatThrownBy(() -> MetricsFile.openForResume(file, List.of("iteration", "return_mean", "kl"), 1))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll(file.toString(), "missing: kl", "unknown: wce");
        assertThatThrownBy(() -> MetricsFile.openForResume(file, List.of("iteration", "wce", "return_mean"), 1))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("another order");
        assertThat(Files.readString(file)).isEqualTo(before);
    }

    @Test
    void aDamagedRowIsNamedByItsLine() throws IOException {
        Files.writeString(file, "iteration,return_mean,wce\n1,2\n2,3,\n");
        assertThatThrownBy(() -> Metrics.read(file))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll("line 2", "2 values for 3 columns");
        Files.writeString(file, "iteration,return_mean,wce\n1,2,\n2,x3,\n");
        assertThatThrownBy(() -> Metrics.read(file))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll("line 3", "return_mean is \"x3\"");
        Files.writeString(file, "iteration,return_mean,wce\n1,2,\n,3,\n");
        assertThatThrownBy(() -> MetricsFile.openForResume(file, COLUMNS, 5))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("line 3: it has no iteration");
    }

    @Test
    void damageAfterTheIterationResumedFromDoesNotMatter() throws IOException {
        Files.writeString(file, "iteration,return_mean,wce\n1,2,\n2,3,\n\0\0\0\0\n");
        MetricsFile.openForResume(file, COLUMNS, 2).close();
        assertThat(file).hasContent("iteration,return_mean,wce\n1,2,\n2,3,\n");
    }

    @Test
    void rowsThatDoNotFitAreMistakesOfTheCaller() {
        try (MetricsFile metrics = MetricsFile.create(file, COLUMNS)) {
            assertThatThrownBy(() -> metrics.append(Map.of("wce", 1))).hasMessageContaining("without its iteration");
            assertThatThrownBy(() -> metrics.append(Map.of("iteration", 1, "typo", 1)))
                    .hasMessageContaining("[typo]");
        }
    }

    private void writeRows(int rows) {
        try (MetricsFile metrics = MetricsFile.create(file, COLUMNS)) {
            for (int i = 1; i <= rows; i++) {
                metrics.append(Map.of("iteration", i, "return_mean", -i));
            }
        }
    }
}
