package dev.pgkq.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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

        assertThat(folder.isComplete()).isTrue();
        assertThat(entries(cache)).containsExactly("libs");
        assertThat(entries(folder.path())).containsExactly("a.so", "b.so", LibraryFolder.MANIFEST);
    }

    @Test
    void aMakerThatFailsLeavesNothing() throws IOException {
        assertThatThrownBy(() -> folder.make(scratch -> {
                    twoFiles(scratch);
                    throw new IOException("no connection");
                }))
                .hasMessage("no connection");

        assertThat(folder.isComplete()).isFalse();
        assertThat(entries(cache)).isEmpty();
    }

    @Test
    void aFolderWithAMissingOrShortFileIsNotCompleteAndIsMadeAnew() throws IOException {
        folder.make(LibraryFolderTest::twoFiles);
        Files.delete(folder.path().resolve("a.so"));
        assertThat(folder.isComplete()).isFalse();
        folder.make(LibraryFolderTest::twoFiles);
        assertThat(folder.isComplete()).isTrue();

        Files.writeString(folder.path().resolve("b.so"), "sho");
        assertThat(folder.isComplete()).isFalse();
        folder.make(LibraryFolderTest::twoFiles);
        assertThat(folder.isComplete()).isTrue();
        assertThat(entries(cache)).containsExactly("libs");
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
                    return folder.isComplete();
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
