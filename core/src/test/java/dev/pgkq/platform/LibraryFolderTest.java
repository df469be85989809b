package dev.pgkq.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LibraryFolderTest {
    @TempDir
    Path cache;

    private LibraryFolder folder = new LibraryFolder(Path.of("unset"));

    @BeforeEach
    void folderInTheCache() {
        folder = new LibraryFolder(cache.resolve("libs"));
    }

    @Test
    void itIsCompleteOnceMadeAndNothingElseIsLeft() throws IOException {
        folder.make(LibraryFolderTest::twoFiles);

        assertThat(folder.problem()).isEmpty();
        assertThat(entries(cache)).containsExactly("libs");
        assertThat(entries(folder.path())).containsExactly(LibraryFolder.MANIFEST, "a.so", "b.so");
    }

    @Test
    void aMakerThatFailsLeavesNothing() throws IOException {
        assertThatThrownBy(() -> folder.make(scratch -> {
                    twoFiles(scratch);
                    throw new IOException("no connection");
                }))
                .hasMessage("no connection");

        assertThat(folder.problem()).isNotEmpty();
        assertThat(entries(cache)).isEmpty();
    }

    @Test
    void aFolderWithAMissingOrShortFileIsNotCompleteAndIsMadeAnew() throws IOException {
        folder.make(LibraryFolderTest::twoFiles);
        Files.delete(folder.path().resolve("a.so"));
        assertThat(folder.problem()).isNotEmpty();
        folder.make(LibraryFolderTest::twoFiles);
        assertThat(folder.problem()).isEmpty();

        Files.writeString(folder.path().resolve("b.so"), "sho");
        assertThat(folder.problem()).isNotEmpty();
        folder.make(LibraryFolderTest::twoFiles);
        assertThat(folder.problem()).isEmpty();
        assertThat(entries(cache)).containsExactly("libs");
    }

    @Test
    void aFileWithOtherContentsOfTheSameLengthIsNoticedAndReplaced() throws IOException {
        folder.make(LibraryFolderTest::twoFiles);
        Files.writeString(folder.path().resolve("b.so"), "Second");
        assertThat(folder.problem()).isEqualTo("b.so is damaged");
        folder.make(LibraryFolderTest::twoFiles);
        assertThat(folder.problem()).isEmpty();
        assertThat(folder.path().resolve("b.so")).hasContent("second");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no such permissions")
    void aFolderThatOthersCanChangeIsRefusedAndNotReplaced() throws IOException {
        folder.make(LibraryFolderTest::twoFiles);
        for (Path open : List.of(cache, folder.path(), folder.path().resolve("a.so"))) {
            var usual = Files.getPosixFilePermissions(open);
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxr-x"));
            assertThat(folder.problem()).contains("other users can change " + open, "chmod -R go-w", "PGKQ_CACHE");
            Files.setPosixFilePermissions(open, usual);
            assertThat(folder.problem()).isEmpty();
        }
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> folder.make(LibraryFolderTest::twoFiles))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other users can change " + cache);
    }

    /** Some users have files that their group can write by default. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no such permissions")
    void filesThatTheMakerSharesAreProtectedInTheFolder() throws IOException {
        folder.make(scratch -> {
            List<Path> files = twoFiles(scratch);
            for (Path file : files) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
            }
            return files;
        });
        assertThat(folder.problem()).isEmpty();
    }

    @Test
    void manyAtOnceAreAllServed() throws Exception {
        int makers = 8;
        CyclicBarrier together = new CyclicBarrier(makers);
        List<Future<Boolean>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(makers)) {
            for (int i = 0; i < makers; i++) {
                results.add(threads.submit(() -> {
                    together.await();
                    folder.make(LibraryFolderTest::twoFiles);
                    return folder.problem().isEmpty();
                }));
            }
        }
        for (Future<Boolean> result : results) {
            assertThat(result.get()).isTrue();
        }
        assertThat(entries(cache)).containsExactly("libs");
    }

    @Test
    void whatAKilledProcessLeftGoesAwayAfterADay() throws IOException {
        Path old = Files.createDirectory(cache.resolve("libs.partial-old"));
        Path young = Files.createDirectory(cache.resolve("libs.partial-young"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));

        folder.make(LibraryFolderTest::twoFiles);

        assertThat(old).doesNotExist();
        assertThat(young).exists();
    }

    private static List<Path> twoFiles(Path scratch) throws IOException {
        return List.of(
                Files.writeString(scratch.resolve("a.so"), "first"),
                Files.writeString(scratch.resolve("b.so"), "second"));
    }

    private static List<String> entries(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }
}
