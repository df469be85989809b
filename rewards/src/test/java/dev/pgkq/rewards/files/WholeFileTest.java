package dev.pgkq.rewards.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
    @TempDir
    Path folder;

    @Test
    void aFailureHalfwayLeavesTheFileAsItWasAndNothingBesideIt() throws IOException {
        Path file = folder.resolve("file");
        Files.writeString(file, "old");

        assertThatThrownBy(() -> WholeFile.replace(file, channel -> {
                    channel.write(ByteBuffer.wrap(new byte[100]));
                    throw new IOException("no space left on device");
                }))
                .isInstanceOf(UserException.class)
                .hasMessage("cannot write " + file + ": no space left on device");

        assertThat(Files.readString(file)).isEqualTo("old");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void anErrorOfTheWriterLeavesNothingBehindEither() throws IOException {
        assertThatThrownBy(() -> WholeFile.replace(folder.resolve("file"), channel -> {
                    throw new IllegalStateException("a mistake");
                }))
                .hasMessage("a mistake");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no POSIX permissions")
    void onlyTheOwnerCanReadAPrivateFile() throws IOException {
        Path file = folder.resolve("file");
        Files.writeString(file, "old");
        Files.writeString(folder.resolve(".file.new"), "left by a process that was killed");
        WholeFile.replacePrivately(file, new byte[] {'x'});
        assertThat(Files.readString(file)).isEqualTo("x");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Path empty = folder.resolve("a/empty");
        PrivateFiles.createEmpty(empty);
        PrivateFiles.createEmpty(empty);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(empty)))
                .isEqualTo("rw-------");
        try (Stream<Path> files = Files.list(folder.resolve("a"))) {
            assertThat(files).containsExactly(empty);
        }
    }

    @Test
    void foldersOnTheWayAreMade() throws IOException {
        Path file = folder.resolve("a/b/file");
        WholeFile.replace(file, channel -> channel.write(ByteBuffer.wrap(new byte[] {'x'})));
        assertThat(Files.readString(file)).isEqualTo("x");
    }
}
