package dev.pgkq.rewards.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkFoldersTest {
    @TempDir
    private Path temporary = Path.of("");

    private Path folder = Path.of("");
    private WorkFolders folders = new WorkFolders(Path.of(""), 0);

    @BeforeEach
    void open() {
        folder = temporary.resolve("evaluations");
        folders = new WorkFolders(folder, 3);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(place -> place.getFileName().toString()).sorted().toList();
        }
    }

    /** A folder that was kept at this time. */
    private Path failed(String name, long time) throws IOException {
        Path place = folders.make(name);
        Files.writeString(Files.createDirectory(place.resolve("deep")).resolve("file"), "left");
        Files.setLastModifiedTime(place, FileTime.fromMillis(time));
        return place;
    }

    @Test
    void theNewestOfThoseThatFailedAreKept() throws IOException {
        for (int i = 0; i < 6; i++) {
            folders.keep(failed("key" + i, 1000 * ((i * 5) % 6)));
        }
        // the times are 0, 5, 4, 3, 2, 1
        assertThat(names()).containsExactly("key1", "key2", "key3");
    }

    @Test
    void oneThatIsInUseStaysAndCountsForNothing() throws IOException {
        Path used = failed("used", 1);
        for (int i = 0; i < 5; i++) {
            folders.keep(failed("key" + i, 1000 + i));
        }
        assertThat(names()).containsExactly("key2", "key3", "key4", "used");
        assertThat(used.resolve("deep").resolve("file")).hasContent("left");
        folders.keep(used);
        assertThat(names()).containsExactly("key2", "key3", "key4");
    }

    @Test
    void whatWentWellIsRemovedAndKeepingItAfterwardsDoesNotMatter() throws IOException {
        Path place = failed("key", 1);
        folders.remove(place);
        folders.keep(place);
        assertThat(names()).isEmpty();
    }

    @Test
    void theSameNameTwiceAreTwoFolders() throws IOException {
        assertThat(List.of(folders.make("key"), folders.make("key"), folders.make("key")))
                .containsExactly(folder.resolve("key"), folder.resolve("key-2"), folder.resolve("key-3"));
    }

    @Test
    void whatALinkLeadsToIsLeftAlone() throws IOException {
        Path outside = Files.createDirectory(temporary.resolve("outside"));
        Files.writeString(outside.resolve("file"), "not ours");
        Files.createDirectories(folder);
        Files.createSymbolicLink(folder.resolve("link"), outside);
        for (int i = 0; i < 5; i++) {
            folders.keep(failed("key" + i, 1000 + i));
        }
        assertThat(outside.resolve("file")).hasContent("not ours");
        assertThat(names()).containsExactly("key2", "key3", "key4", "link");
    }
}
