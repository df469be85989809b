package dev.pgkq.rewards.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.rewards.SmallDisk;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class AdviserOnAFullDiskTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the disk is mounted by a shell script")
    void whereverTheDiskBecomesFullNothingChangesAndTheSameWorksLater() throws Exception {
        String out = new SmallDisk(folder.resolve("disk"), 12)
                .run(AdviserChild.command(), "$child $disk/adviser $disk/ballast '" + folder.resolve("large") + "'");

        assertThat(out).containsPattern("[1-9][0-9]* failures, 120 spent, 40 lessons");
    }
}
