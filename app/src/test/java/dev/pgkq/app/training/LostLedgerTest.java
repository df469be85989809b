package dev.pgkq.app.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.app.Tool;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.app.terminal.ProgressView;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ledger of a run, or the file with the run's id, is deleted or changed, while the run trains and between two starts. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
class LostLedgerTest {
    private static final int ITERATIONS = 4;
    private static final int BATCH = 4;

    @TempDir
    private Path folder = Path.of("");

    private Path run = Path.of("");
    private Path calls = Path.of("");
    private String reward = "";

    @BeforeEach
    void makeProgram() throws IOException {
        run = folder.resolve("run");
        calls = folder.resolve("calls");
        reward = Scorer.in(folder, calls);
    }

    private Map<Setting, String> settings(int iterations) {
        return Map.of(
                Setting.ENV, "Pendulum-v1",
                Setting.ALGO, "ppo",
                Setting.BATCH, Integer.toString(BATCH),
                Setting.ITERATIONS, Integer.toString(iterations),
                Setting.VALUE_EPOCHS, "2",
                Setting.THREADS, "1",
                Setting.REWARD, reward,
                Setting.REWARD_PER, "episode");
    }

    /** Trains in this process, and runs a script in the run directory after an iteration. */
    private void train(Path directory, int changedAfter, String script) {
        Map<Setting, Given> given = new EnumMap<>(Setting.class);
        settings(ITERATIONS).forEach((setting, value) -> given.put(setting, new Given(value, setting.key())));
        new TrainingRun(new RunDirectory(directory), false, RunConfig.of(given))
                .run(new Changing(directory, changedAfter, script), () -> false);
    }

    private record Changing(Path directory, int after, String script) implements ProgressView {
        @Override
        public void show(IterationView view) {
            if (view.iteration() == after) {
                shell(directory, script);
            }
        }

        @Override
        public void message(String line) {}

        @Override
        public void waiting(IntFunction<String> line) {}

        @Override
        public void finish() {}
    }

    private static void shell(Path directory, String script) {
        try {
            Process process = new ProcessBuilder("sh", "-ec", script)
                    .directory(directory.toFile())
                    .inheritIO()
                    .start();
            assertThat(process.waitFor()).as(script).isZero();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Tool.Result train(int iterations, String... more) {
        List<String> words = new ArrayList<>(List.of("train", "--out", run.toString()));
        settings(iterations).forEach((setting, value) -> words.addAll(List.of("--" + setting.key(), value)));
        words.addAll(List.of(more));
        return Tool.run(words.toArray(String[]::new));
    }

    private static String unwrapped(String text) {
        return text.replaceAll("\\s+", " ");
    }

    private void makeAnotherLedger() {
        try (Ledger other = Ledger.open(folder.resolve("other.db").toString())) {
            assertThat(other.location()).endsWith("other.db");
        }
    }

    /** Puts the copy in place, resumes, and compares with a run whose ledger nobody touched. */
    private void assertGoesOnWithTheCopy() throws IOException {
        Files.deleteIfExists(calls.resolveSibling("calls.meanwhile"));
        Files.move(run.resolve("ledger.rescued.db"), run.resolve("ledger.db"), StandardCopyOption.REPLACE_EXISTING);
        Tool.Result resumed = train(ITERATIONS, "--resume");
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        assertThat(Scorer.calls(calls).values()).hasSize(ITERATIONS * BATCH).containsOnly(1);
        assertThat(run.resolve("spool")).doesNotExist();
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(run.toString(), entries::add);
        assertThat(entries).hasSize(ITERATIONS * BATCH);

        Path undisturbed = folder.resolve("undisturbed").resolve("run");
        train(undisturbed, 0, "");
        Scorer.assertSame(run, undisturbed);
    }

    @Test
    void aLedgerThatIsDeletedBetweenIterationsStopsTheRun() throws IOException {
        aChangeBetweenIterationsStopsTheRun(2, "rm ledger.db", "was deleted");
    }

    /** After the last iteration, only closing the ledger can notice it. */
    @ParameterizedTest
    @Tag("slow")
    @CsvSource(
            delimiter = '|',
            value = {
                "4 | rm ledger.db              | was deleted",
                "2 | mv ../other.db ledger.db  | was replaced by another file",
                "2 | truncate -s 0 ledger.db   | was truncated"
            })
    void aChangeBetweenIterationsStopsTheRun(int iteration, String change, String reported) throws IOException {
        makeAnotherLedger();
        assertThatThrownBy(() -> train(run, iteration, change))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll(
                        "the ledger " + run.resolve("ledger.db") + " " + reported + " while it was in use",
                        "saved in " + run.resolve("ledger.rescued.db"),
                        "then resume");
        assertThat(Files.readAllLines(calls)).hasSize(iteration * BATCH);
        assertGoesOnWithTheCopy();
    }

    @Test
    void aLedgerThatIsDeletedWhileEvaluationsAreOutStopsTheRunWithTheirAnswersInFiles() throws IOException {
        aChangeWhileEvaluationsAreOutStopsTheRunWithTheirAnswersInFiles("rm ledger.db", "was deleted");
    }

    /** All four evaluations of the third iteration are out when the first of them changes the file. */
    @ParameterizedTest
    @Tag("slow")
    @CsvSource(
            delimiter = '|',
            value = {
                "mv ../other.db ledger.db  | was replaced by another file",
                "cp ../other.db ledger.db  | was overwritten by another database",
                "truncate -s 0 ledger.db   | was truncated"
            })
    void aChangeWhileEvaluationsAreOutStopsTheRunWithTheirAnswersInFiles(String change, String reported)
            throws IOException {
        makeAnotherLedger();
        Scorer.meanwhile(calls, """
                if [ "$(wc -l <"$1")" -gt 8 ]; then
                    while [ "$(wc -l <"$1")" -lt 12 ]; do sleep 0.01; done
                    if mkdir "$1.changing" 2>/dev/null; then cd %s; %s; touch "$1.changed"; fi
                    while [ ! -e "$1.changed" ]; do sleep 0.01; done
                fi
                """.formatted(run, change));

        Tool.Result stopped = train(ITERATIONS);

        assertThat(stopped.exitCode()).isEqualTo(2);
        assertThat(unwrapped(stopped.err()))
                .contains(
                        reported + " while it was in use",
                        "4 answers that could not be recorded are in " + run.resolve("spool"))
                .doesNotContain("Exception");
        assertThat(run.resolve("spool")).isDirectoryContaining("glob:**.json");
        assertGoesOnWithTheCopy();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rm ledger.db", "rm run-id"})
    void aMissingFileDoesNotStartTheBudgetAnew(String change) throws IOException {
        aLedgerWithLessThanWasPaidForIsRefusedAndTheBudgetDoesNotStartAnew(change);
    }

    /** What was paid for is known from the checkpoint. */
    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {": >ledger.db", "cp ../other.db ledger.db", ": >run-id", "echo 0123456789ab >run-id"})
    void aLedgerWithLessThanWasPaidForIsRefusedAndTheBudgetDoesNotStartAnew(String change) throws IOException {
        makeAnotherLedger();
        String[] limit = {"--max-evaluations", "16"};
        Tool.Result started = train(2, limit);
        assertThat(started.exitCode()).as(started.err()).isZero();
        String id = Files.readString(run.resolve("run-id")).strip();
        shell(run, change);

        Tool.Result refused = train(6, "--resume");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(unwrapped(refused.err()))
                .contains(
                        "when this run was saved, it had paid for 8 evaluations, cost 2, but the ledger "
                                + run.resolve("ledger.db") + " has 0 evaluations of it",
                        "resume with --accept-lost-ledger");
        assertThat(Files.exists(run.resolve("ledger.db"))).isEqualTo(!change.equals("rm ledger.db"));
        if (change.contains("run-id")) {
            assertThat(unwrapped(refused.err())).contains("it has 8 evaluations, cost 2 of run#" + id);
        }
        assertThat(Files.readAllLines(calls)).hasSize(8);

        String suggested = "train --resume --out " + run + " --accept-lost-ledger";
        assertThat(refused.err()).contains("to continue: pgkq " + suggested + System.lineSeparator());
        Tool.Result accepted = Tool.run(suggested.split(" ", -1));
        assertThat(accepted.exitCode()).as(accepted.err()).isZero();
        assertThat(unwrapped(accepted.out())).contains("stopped at its budget after iteration 4 of 6");
        assertThat(Files.readAllLines(calls)).hasSize(16);

        Tool.Result again = train(6, "--resume");
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(Files.readAllLines(calls)).hasSize(16);
    }

    /** The first call of the second iteration fails twice before it is answered. */
    @Test
    void callsWithoutAnAnswerCountAfterTheLedgerIsLost() throws IOException {
        Scorer.meanwhile(calls, """
                if [ "$(wc -l <"$1")" -gt 4 ] && [ "$(wc -l <"$1")" -lt 7 ]; then exit 75; fi
                """);
        String[] limit = {"--max-evaluations", "16", "--rewards-at-once", "1", "--cost-of-failure", "0.5"};
        Tool.Result started = train(2, limit);
        assertThat(started.exitCode()).as(started.err()).isZero();
        assertThat(Files.readAllLines(calls)).hasSize(10);
        shell(run, "rm ledger.db");

        Tool.Result accepted = train(6, "--resume", "--accept-lost-ledger");
        assertThat(accepted.exitCode()).as(accepted.err()).isZero();
        assertThat(unwrapped(accepted.out()))
                .contains(
                        "stopped at its budget after iteration 4 of 6",
                        "14 reward evaluations, cost 3.50, 2 calls without an answer, cost 1.00");
        assertThat(Files.readString(run.resolve("events.jsonl")))
                .contains(
                        "the ledger does not have 8 evaluations, cost 2, and 2 calls without an answer, that this run");
        assertThat(Files.readAllLines(calls)).hasSize(16);

        Tool.Result again = train(6, "--resume");
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(Files.readAllLines(calls)).hasSize(16);
    }

    /** A backup from before the second start of the run; the checkpoint knows what was paid for since. */
    @Test
    void anOlderCopyOfTheLedgerIsRefusedWhenTheRunIsResumed() throws IOException {
        assertThat(train(1).exitCode()).isZero();
        shell(run, "cp ledger.db ../older.db");
        assertThat(train(2, "--resume").exitCode()).isZero();
        shell(run, "cp ../older.db ledger.db");

        Tool.Result refused = train(3, "--resume");

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(unwrapped(refused.err()))
                .contains("it had paid for 8 evaluations, cost 2, but the ledger", "has 4 evaluations, cost 1 of it");
        assertThat(Files.readAllLines(calls)).hasSize(8);
    }

    /** Some of the pages that the copy lacks are neither in the log nor written again. */
    @Test
    @Tag("slow")
    void anOlderCopyOfTheLedgerThatIsPutInPlaceWhileTrainingStopsTheRun() throws IOException {
        assertThat(train(1).exitCode()).isZero();
        shell(run, "cp ledger.db ../older.db");
        assertThat(train(6, "--resume").exitCode()).isZero();
        Scorer.meanwhile(calls, """
                if mkdir "$1.changed" 2>/dev/null; then cp %s %s; fi
                """.formatted(folder.resolve("older.db"), run.resolve("ledger.db")));

        Tool.Result stopped = train(7, "--resume");

        assertThat(stopped.exitCode()).isEqualTo(2);
        assertThat(unwrapped(stopped.err()))
                .contains("was overwritten", "while it was in use", "saved in " + run.resolve("ledger.rescued.db"))
                .doesNotContain("Exception");

        Files.move(run.resolve("ledger.rescued.db"), run.resolve("ledger.db"), StandardCopyOption.REPLACE_EXISTING);
        Tool.Result resumed = train(7, "--resume");
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        assertThat(Scorer.calls(calls).values()).hasSize(7 * BATCH).containsOnly(1);
    }
}
