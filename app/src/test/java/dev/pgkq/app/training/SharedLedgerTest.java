package dev.pgkq.app.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.app.terminal.ProgressView;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Two concurrent runs that need the same rewards share one ledger: every reward is bought once. */
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

    private CompletableFuture<Void> train(String run, Map<Setting, String> settings) {
        Map<Setting, Given> given = new EnumMap<>(Setting.class);
        settings.forEach((setting, value) -> given.put(setting, new Given(value, setting.key())));
        TrainingRun training = new TrainingRun(new RunDirectory(folder.resolve(run)), false, RunConfig.of(given));
        return CompletableFuture.runAsync(() -> training.run(Quiet.VIEW, () -> false));
    }

    private enum Quiet implements ProgressView {
        VIEW;

        @Override
        public void show(IterationView view) {}

        @Override
        public void message(String line) {}

        @Override
        public void waiting(IntFunction<String> line) {}

        @Override
        public void finish() {}
    }

    @Test
    void twoRunsInOneProcessBuyNothingTwice() throws Exception {
        Path calls = folder.resolve("calls");
        Map<Setting, String> settings = Map.of(
                Setting.ENV, "Pendulum-v1",
                Setting.ALGO, "ppo",
                Setting.BATCH, "3",
                Setting.ITERATIONS, "2",
                Setting.VALUE_EPOCHS, "2",
                Setting.REWARD, Scorer.in(folder, calls),
                Setting.REWARD_PER, "episode",
                Setting.LEDGER, folder.resolve("shared.db").toString());
        CompletableFuture<Void> one = train("one", settings);
        CompletableFuture<Void> other = train("other", settings);
        one.get();
        other.get();
        assertThat(Scorer.calls(calls).values()).hasSize(6).containsOnly(1);
        Scorer.assertSame(folder.resolve("one"), folder.resolve("other"));
        assertThat(folder.resolve("one").resolve("ledger.db")).doesNotExist();
    }

    /** In a real PostgreSQL. */
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
