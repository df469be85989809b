package dev.pgkq.rewards.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class BoundedFileTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void readsUpToTheLimit() throws IOException {
        Path file = folder.resolve("file");
        Files.writeString(file, "12345");
        assertThat(BoundedFile.text(file, 5)).isEqualTo("12345");
        assertThatThrownBy(() -> BoundedFile.bytes(file, 4))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("larger than 4 bytes");
        Files.write(file, new byte[] {(byte) 0xff});
        assertThatThrownBy(() -> BoundedFile.text(file, 5)).isInstanceOf(CharacterCodingException.class);
        assertThatThrownBy(() -> BoundedFile.bytes(folder.resolve("none"), 5)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> BoundedFile.bytes(folder, 5)).hasMessageContaining("it is a folder");
        BoundedFile.requireIfPresent(folder.resolve("none"));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has neither")
    void neitherWaitsForPipesNorReadsDevices() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path device = Files.createSymbolicLink(folder.resolve("device"), Path.of("/dev/zero"));
        Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
        for (Path file : new Path[] {pipe, device}) {
            assertThatThrownBy(() -> BoundedFile.bytes(file, 100)).hasMessageContaining("not a regular file");
        }
        assertThatThrownBy(() -> BoundedFile.requireIfPresent(loop)).isInstanceOf(FileSystemException.class);
    }
}
