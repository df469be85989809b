package dev.pgkq.app.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Two concurrent runs that need the same rewards share one ledger in a real PostgreSQL: every reward is bought once. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
class SharedLedgerTest {
    @TempDir
    private Path folder = Path.of("");

    private Process start(String run, String reward, String ledger) throws IOException {
        return Tool.start(
                folder.resolve(run + ".log"),
                "train",
                "--env",
                "Pendulum-v1",
                "--algo",
                "ppo-kq",
                "--batch",
                "10",
                "--select",
                "4",
                "--iterations",
                "4",
                "--threads",
                "1",
                "--reward",
                reward,
                "--reward-per",
                "episode",
                "--ledger",
                ledger,
                "--out",
                folder.resolve(run).toString());
    }

    @Test
    @Tag("slow")
    void twoRunsAtOnceBuyNothingTwice() throws Exception {
        Path calls = folder.resolve("calls");
        String reward = Scorer.in(folder, calls);
        try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
            String ledger = server.getJdbcUrl("postgres", "postgres");
            Process one = start("one", reward, ledger);
            Process other = start("other", reward, ledger);
            assertThat(one.waitFor())
                    .as(Files.readString(folder.resolve("one.log")))
                    .isZero();
            assertThat(other.waitFor())
                    .as(Files.readString(folder.resolve("other.log")))
                    .isZero();
            Tool.Result report = Tool.run("ledger", ledger);
            assertThat(report.exitCode()).as(report.err()).isZero();
        }
        assertThat(Scorer.calls(calls).values()).hasSizeGreaterThan(8).containsOnly(1);
        Scorer.assertSame(folder.resolve("one"), folder.resolve("other"));
        assertThat(folder.resolve("one").resolve("ledger.db")).doesNotExist();
    }
}
