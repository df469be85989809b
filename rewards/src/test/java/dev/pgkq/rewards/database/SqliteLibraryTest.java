package dev.pgkq.rewards.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.util.LibraryLoaderUtil;

class SqliteLibraryTest {
    @TempDir
    private Path folder = Path.of("");

    /** Opens a database and ends as if it had been killed. */
    static final class Killed {
        public static void main(String[] args) throws Exception {
            try (Connection connection =
                    new SqliteDatabase(Path.of(args[0]), "ledger", "evaluation", "SELECT 0").connectFirst()) {
                Runtime.getRuntime().halt(connection.isClosed() ? 1 : 0);
            }
        }
    }

    @Test
    void aKilledProcessLeavesTheLibraryInTheCacheAndNothingInTheTemporaryFolder() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        Path cache = folder.resolve("cache");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Killed.class.getName(),
                folder.resolve("x.db").toString()));
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put("PGKQ_CACHE", cache.toString());
        assertThat(builder.start().waitFor()).isZero();
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left.map(Path::toString)).noneMatch(name -> name.contains("sqlite"));
        }
        assertThat(SqliteLibrary.unpacked(cache).path().resolve(LibraryLoaderUtil.getNativeLibName()))
                .isRegularFile();
    }

    @Test
    void aDamagedLibraryIsUnpackedAnew() throws IOException {
        Path library = SqliteLibrary.unpacked(folder).path().resolve(LibraryLoaderUtil.getNativeLibName());
        byte[] whole = Files.readAllBytes(library);
        Files.write(library, new byte[1000]);
        assertThat(SqliteLibrary.unpacked(folder).problem()).isEmpty();
        assertThat(library).hasBinaryContent(whole);
    }
}
