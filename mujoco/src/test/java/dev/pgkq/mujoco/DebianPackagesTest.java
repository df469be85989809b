package dev.pgkq.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pgkq.platform.LibraryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches for real, into folders of its own: needs a connection to the machine's package sources. */
class DebianPackagesTest {
    @TempDir
    Path folder;

    /** Tells which MuJoCo it found when no system library and no cache has one. */
    static final class Fetches {
        public static void main(String[] args) throws IOException {
            Path here = Path.of("").toAbsolutePath();
            Files.createDirectories(here.resolve("no-lists").resolve("partial"));
            DebianPackages packages =
                    new DebianPackages(List.of("-o", "Dir::State::lists=" + here.resolve("no-lists")));
            MujocoLibrary library = new MujocoLocator(
                            Optional.empty(), List.of(), here.resolve("cache").resolve("mujoco-2.2.2"), packages)
                    .locate();
            System.out.println(library.version() + " " + library.location());
        }
    }

    @Test
    @Tag("slow")
    void aMachineWithoutMujocoAndWithoutPackageListsGetsItIntoItsCacheAndKeepsIt() throws Exception {
        assumeConnection();

        OtherProcess first = OtherProcess.run(Fetches.class, folder, List.of(), Map.of());
        OtherProcess second = OtherProcess.run(Fetches.class, folder, List.of(), Map.of());

        Path library = folder.toRealPath().resolve("cache/mujoco-2.2.2/libmujoco.so.2.2.2");
        assertThat(first.errors()).contains("fetching MuJoCo 2.2.2 from Debian's packages into ");
        assertThat(first.output()).contains("2.2.2 ", library.toString(), "FETCHED");
        assertThat(second.errors()).isEmpty();
        assertThat(second.output()).contains("2.2.2 ", library.toString(), "CACHE");
    }

    @Test
    void packageListsOfTheMachineAreEnough() throws IOException {
        assumeConnection();
        LibraryFolder target = new LibraryFolder(folder.resolve("mujoco-2.2.2"));

        new DebianPackages(List.of()).fetchInto(target);

        assertThat(target.problem()).isEmpty();
        assertThat(folder).isDirectoryContaining("glob:**/mujoco-2.2.2");
        assertThat(target.path()).isDirectoryContaining("glob:**/libccd.so.*");
    }

    @Test
    void withoutAConnectionTheErrorSaysSoAndNothingIsLeft() throws IOException {
        assumeApt();
        Path lists = Files.createDirectories(folder.resolve("no-lists"));
        Path cache = Files.createDirectories(folder.resolve("cache"));
        DebianPackages unconnected = new DebianPackages(List.of(
                "-o", "Dir::State::lists=" + lists,
                "-o", "Acquire::http::Proxy=http://localhost:1",
                "-o", "Acquire::https::Proxy=http://localhost:1"));

        assertThatThrownBy(() -> unconnected.fetchInto(new LibraryFolder(cache.resolve("mujoco-2.2.2"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("localhost")
                .hasMessageContaining("libmujoco2.2.2");

        assertThat(cache).isEmptyDirectory();
    }

    @Test
    void dependenciesAreReadFromThePackageWithoutTheRuntimes() {
        assertThat(
                        DebianPackages.dependencies(
                                "libc6 (>= 2.34), libccd2 (>= 2.0), libgcc-s1 (>= 3.0), libqhull-r8.0 | libqhull-r9, libstdc++6\n"))
                .containsExactly("libccd2", "libqhull-r8.0");
    }

    /** Where tests are run to decide about a change, being offline is a failure; on a train it is not. */
    private void assumeConnection() throws IOException {
        assumeApt();
        if (System.getenv("CI") == null) {
            Path probe = Files.createDirectories(folder.resolve("probe"));
            assumeTrue(
                    Command.execute(
                                    probe,
                                    List.of("apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", "libccd2"))
                            .succeeded(),
                    "the machine's package sources cannot be reached");
        }
    }

    private static void assumeApt() {
        assumeTrue(DebianPackages.available(), "this machine has no apt-get and dpkg-deb to fetch packages with");
    }
}
