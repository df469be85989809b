package dev.pgkq.mujoco;

import dev.pgkq.platform.Platform;
import java.util.List;

/** Installation instructions for machines without MuJoCo. */
final class InstallationGuide {
    private InstallationGuide() {}

    /** Returns the error message for a failed search. */
    static String notFound(List<String> tried) {
        String line = System.lineSeparator();
        StringBuilder text = new StringBuilder("this task needs MuJoCo 2.2.2, which was not found.");
        text.append(line).append("Tried:");
        tried.forEach(each -> text.append(line).append("  - ").append(each));
        text.append(line).append("To install it:");
        steps(Platform.name(), DebianPackages.available())
                .forEach(each -> text.append(line).append("  ").append(each));
        return text.toString();
    }

    /** Returns the steps for a platform. */
    static List<String> steps(String platform, boolean debian) {
        if (debian) {
            return List.of(
                    "as root: apt-get update && apt-get install libmujoco2.2.2",
                    "without root: fix what prevented the download, see above; the next run downloads it;",
                    "without a network: copy the folder " + MujocoLocator.CACHE_FOLDER
                            + " from the cache of a machine that has it, and export PGKQ_MUJOCO=FOLDER");
        }
        if (platform.startsWith("linux")) {
            return List.of(
                    "download mujoco-2.2.2-linux-" + (platform.endsWith("arm64") ? "aarch64" : "x86_64")
                            + ".tar.gz from the releases of the MuJoCo project,",
                    "unpack it with tar xzf, and export PGKQ_MUJOCO=$PWD/mujoco-2.2.2/lib");
        }
        if (platform.startsWith("macosx")) {
            return List.of(
                    "download mujoco-2.2.2-macos-universal2.dmg from the releases of the MuJoCo project, open it,",
                    "copy mujoco.framework to a folder,",
                    "and export PGKQ_MUJOCO=FOLDER/mujoco.framework/Versions/A");
        }
        return List.of(
                "download mujoco-2.2.2-windows-x86_64.zip from the releases of the MuJoCo project, unpack it,",
                "and set PGKQ_MUJOCO=FOLDER\\bin");
    }
}
