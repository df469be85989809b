package dev.pgkq.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.mujoco.MujocoLocator.Explicit;
import dev.pgkq.platform.LibraryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class MujocoLocatorTest {
    /** Makes apt-get find no package anywhere, without a connection. */
    private static final DebianPackages NO_PACKAGES = new DebianPackages(
            List.of("-o", "Dir::Etc::sourcelist=/dev/null", "-o", "Dir::Etc::sourceparts=/dev/null"));

    @TempDir
    Path folder;

    @Test
    void anExplicitPathThatIsNotThereIsAnErrorWithoutFallback() {
        assertThatThrownBy(() -> explicit(folder.resolve("missing.so")))
                .isInstanceOf(MujocoException.class)
                .hasMessageContaining(folder.resolve("missing.so").toString())
                .hasMessageContaining("the system property pgkq.mujoco")
                .hasMessageContaining("no such file or folder");
    }

    @Test
    void anExplicitFolderWithoutTheLibraryIsAnError() {
        assertThatThrownBy(() -> explicit(folder))
                .isInstanceOf(MujocoException.class)
                .hasMessageContaining("the folder has no libmujoco");
    }

    @Test
    void anExplicitFileThatIsNoLibraryIsAnError() throws IOException {
        Path file = Files.writeString(folder.resolve("libmujoco.so"), "only text");

        assertThatThrownBy(() -> explicit(file))
                .isInstanceOf(MujocoException.class)
                .hasMessageContaining("libmujoco.so is not a shared library");
    }

    /** The end of a library is where the tables are that its start refers to. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void anExplicitLibraryThatIsCutShortIsAnErrorAndNotTheEndOfTheProcess() throws IOException {
        byte[] whole = Files.readAllBytes(Path.of(System.getProperty("java.home"), "lib", "libzip.so"));
        Path file = Files.write(folder.resolve("libmujoco.so"), Arrays.copyOf(whole, whole.length - 100));

        assertThatThrownBy(() -> explicit(file))
                .isInstanceOf(MujocoException.class)
                .hasMessageContaining("libmujoco.so is not a shared library, or not a whole one");
        Files.write(file, whole);
        assertThatThrownBy(() -> explicit(file)).hasMessageContaining("it has no mj_versionString");
    }

    @Test
    void aDamagedLibraryInTheCacheIsNotLoaded() throws IOException {
        LibraryFolder cache = new LibraryFolder(folder.resolve("mujoco"));
        cache.make(scratch -> List.of(Files.writeString(scratch.resolve("libmujoco.so.2.2.2"), "whole")));
        Files.writeString(cache.path().resolve("libmujoco.so.2.2.2"), "other");

        assertThatThrownBy(() -> new MujocoLocator(Optional.empty(), List.of(), cache.path(), NO_PACKAGES).locate())
                .isInstanceOf(MujocoException.class)
                .hasMessageContaining("the cache " + cache.path() + ": libmujoco.so.2.2.2 is damaged");
    }

    @Test
    void aLibraryThatIsNotMujocoIsRefused() {
        assertThatThrownBy(() -> MujocoLibrary.ofSystem(System.mapLibraryName("z") + ".none"))
                .isInstanceOf(MujocoLibrary.Unusable.class)
                .hasMessage("not found");
        assertThatThrownBy(() -> MujocoLibrary.ofSystem("libc.so.6"))
                .isInstanceOf(MujocoLibrary.Unusable.class)
                .hasMessageContaining("not MuJoCo");
    }

    @Test
    void anUnknownVersionIsRefusedWithTheSupportedOnes() {
        assertThatThrownBy(() -> MujocoLibrary.layoutOf("3.1.4"))
                .isInstanceOf(MujocoLibrary.Unusable.class)
                .hasMessage("it is MuJoCo 3.1.4; supported versions: 2.2.2");
    }

    @Test
    void aHalfMadeCacheIsNotUsedAndTheErrorTellsWhatWasTried() throws IOException {
        Path cache = Files.createDirectory(folder.resolve("mujoco-2.2.2"));
        Files.writeString(cache.resolve("libmujoco.so.2.2.2"), "half");

        assertThatThrownBy(() ->
                        new MujocoLocator(Optional.empty(), List.of("libno-such.so"), cache, NO_PACKAGES).locate())
                .isInstanceOf(MujocoException.class)
                .hasMessageContaining("the system's libno-such.so: not found")
                .hasMessageContaining(cache + ": incomplete")
                .hasMessageContaining("Debian's packages: ")
                .hasMessageContaining("To install it:");
    }

    @Test
    void everyPlatformHasItsSteps() {
        assertThat(InstallationGuide.steps("linux-x86_64", true)).anyMatch(each -> each.contains("apt-get install"));
        assertThat(InstallationGuide.steps("linux-arm64", false)).anyMatch(each -> each.contains("linux-aarch64"));
        assertThat(InstallationGuide.steps("macosx-arm64", false)).anyMatch(each -> each.contains(".dmg"));
        assertThat(InstallationGuide.steps("windows-x86_64", false)).anyMatch(each -> each.contains(".zip"));
    }

    private void explicit(Path path) {
        new MujocoLocator(
                        Optional.of(new Explicit(path.toString(), "the system property pgkq.mujoco")),
                        List.of(),
                        folder,
                        NO_PACKAGES)
                .locate();
    }
}
