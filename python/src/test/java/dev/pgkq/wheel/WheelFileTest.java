package dev.pgkq.wheel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives, as Java reads them. What pip makes of a whole wheel is in {@link InstalledWheelTest}. */
class WheelFileTest {
    @TempDir
    private Path folder = Path.of("");

    private static List<String> names(ZipFile zip) {
        return new ArrayList<>(zip.stream().map(ZipEntry::getName).toList());
    }

    private static String text(ZipFile zip, String name) throws IOException {
        return new String(zip.getInputStream(zip.getEntry(name)).readAllBytes(), UTF_8);
    }

    private Path written(String name) throws IOException {
        Path file = folder.resolve(name);
        try (WheelFile wheel = new WheelFile(file, "a-1.dist-info")) {
            wheel.add("a/empty.py", "");
            wheel.add("a/abc.txt", "abc");
            wheel.add("a/bin/run", "x".repeat(100_000).getBytes(UTF_8), true);
        }
        return file;
    }

    @Test
    void theListHasEveryFileWithItsHash() throws IOException {
        try (ZipFile zip = new ZipFile(written("a.whl").toFile())) {
            assertThat(names(zip)).containsExactly("a/empty.py", "a/abc.txt", "a/bin/run", "a-1.dist-info/RECORD");
            assertThat(text(zip, "a/abc.txt")).isEqualTo("abc");
            assertThat(text(zip, "a/bin/run")).isEqualTo("x".repeat(100_000));
            assertThat(zip.getEntry("a/bin/run").getTimeLocal()).isEqualTo(WheelFile.TIME);
            // the hashes of no bytes and of abc are in the standard's examples, here in base 64
            assertThat(text(zip, "a-1.dist-info/RECORD").lines())
                    .hasSize(4)
                    .contains("a/empty.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0")
                    .contains("a/abc.txt,sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0,3")
                    .endsWith("a-1.dist-info/RECORD,,");
        }
    }

    @Test
    void theSameContentsGiveTheSameBytes() throws IOException {
        assertThat(written("first.whl")).hasSameBinaryContentAs(written("second.whl"));
    }

    @Test
    void namesThatAListCannotHoldAreRefused() throws IOException {
        try (WheelFile wheel = new WheelFile(folder.resolve("a.whl"), "a-1.dist-info")) {
            assertThatThrownBy(() -> wheel.add("a,b", ""))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a,b");
        }
    }

    @Test
    void jarsLoseTheLibrariesOfOtherPlatforms() throws IOException {
        Path jar = folder.resolve("library.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String name : List.of(
                    "META-INF/LICENSE",
                    "org/sqlite/native/Linux/x86_64/libsqlitejdbc.so",
                    "org/sqlite/native/Linux/x86/libsqlitejdbc.so",
                    "org/sqlite/native/Mac/x86_64/libsqlitejdbc.dylib",
                    "org/sqlite/JDBC.class",
                    "org/bytedeco/openblas/linux-x86_64/libopenblas.so.0",
                    "org/bytedeco/openblas/linux-x86_64/libjniopenblas.so",
                    "org/bytedeco/openblas/linux-x86_64/include/cblas.h")) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(name.getBytes(UTF_8));
            }
        }
        Path slim = folder.resolve("slim.jar");
        Files.write(slim, new SlimJar(Platform.of("Linux", "amd64").orElseThrow()).of(jar));
        try (ZipFile zip = new ZipFile(slim.toFile())) {
            assertThat(names(zip))
                    .containsExactly(
                            "META-INF/LICENSE",
                            "org/sqlite/native/Linux/x86_64/libsqlitejdbc.so",
                            "org/sqlite/JDBC.class",
                            "org/bytedeco/openblas/linux-x86_64/libopenblas.so.0");
            assertThat(text(zip, "META-INF/LICENSE")).isEqualTo("META-INF/LICENSE");
            assertThat(zip.stream()).allMatch(entry -> entry.getMethod() == ZipEntry.STORED);
        }
    }

    @Test
    void platformsHaveTheNamesThatPipKnows() {
        assertThat(Platform.of("Linux", "amd64").orElseThrow().tag()).isEqualTo("linux_x86_64");
        assertThat(Platform.of("Mac OS X", "aarch64").orElseThrow().tag()).isEqualTo("macosx_11_0_arm64");
        assertThat(Platform.of("Windows 11", "amd64")).isEmpty();
    }
}
