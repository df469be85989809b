package dev.pgkq.app.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.text.UserException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Stopping a run that waits for people: the messages are about ratings, not about rewards in doubt. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no SIGTERM")
class StoppedRatingTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void theMessagesNamePeopleAndTheCommandThatResumes() throws Exception {
        Path run = folder.resolve("run");
        Path log = folder.resolve("log.txt");
        Process training = Tool.start(
                log,
                "train",
                "--env",
                "Pendulum-v1",
                "--batch",
                "6",
                "--select",
                "3",
                "--algo",
                "ppo",
                "--iterations",
                "2",
                "--reward",
                "human",
                "--dashboard",
                "false",
                "--out",
                run.toString());
        try {
            while (asked(run) < 3) {
                assertThat(training.isAlive()).as(Files.readString(log)).isTrue();
                TimeUnit.MILLISECONDS.sleep(200);
            }
            training.destroy();
            while (!Files.readString(log).contains("then saving")) {
                assertThat(training.isAlive()).as(Files.readString(log)).isTrue();
                TimeUnit.MILLISECONDS.sleep(100);
            }
            training.destroy();
            assertThat(training.waitFor()).isEqualTo(130);
            assertThat(Files.readString(log))
                    .containsPattern(
                            "waiting until the [23] episodes that people were asked for are rated, then saving")
                    .contains(
                            "What was rated is kept, and --resume asks for the rest again",
                            "  resume    pgkq train --resume --out " + run)
                    .doesNotContain("in doubt");
            // nobody has answered, so that a budget of three would pay for three answers still
            List<LedgerEntry> entries = new ArrayList<>();
            Ledger.read(run.toString(), entries::add);
            assertThat(entries)
                    .hasSize(3)
                    .allSatisfy(entry -> assertThat(entry.unanswered()).isEqualTo(LedgerEntry.Unanswered.NONE));
        } finally {
            training.destroyForcibly();
        }
    }

    /** The number of rewards that are out according to the ledger; 0 while the ledger is being created. */
    private static long asked(Path run) {
        List<LedgerEntry> entries = new ArrayList<>();
        try {
            Ledger.read(run.toString(), entries::add);
        } catch (UserException e) {
            return 0;
        }
        return entries.stream().filter(entry -> entry.state() == State.RUNNING).count();
    }
}
