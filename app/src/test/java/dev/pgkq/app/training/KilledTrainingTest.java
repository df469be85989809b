package dev.pgkq.app.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.LedgerCopy;
import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.state.Snapshot;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Training with rewards from a program that records every call, killed again and again, at random and at chosen
 * {@linkplain KillMoment moments}, and resumed. The result has the same bits as without kills, no recorded answer is ever
 * missing, and no call is repeated except those that the ledger declares as having been in doubt.
 *
 * <p>{@code mvn test -pl app -am -Dslow -Dtest=KilledTrainingTest -Dpgkq.kills=1000} kills more often, and
 * {@code -Dpgkq.kills.seed=6} at other moments.
 */
@Timeout(value = 4, unit = TimeUnit.HOURS)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
class KilledTrainingTest {
    /** Iterations that are added when a run is complete before it was killed often enough. */
    private static final int MORE = 4;

    @TempDir
    private Path folder = Path.of("");

    private final Random random = new Random(Integer.getInteger("pgkq.kills.seed", 5));
    private final Map<KillMoment, Integer> kills = new EnumMap<>(KillMoment.class);
    /** How often keys had been called when their answer was put into the spool. */
    private final Map<String, Integer> spooled = new HashMap<>();

    private final Set<String> recorded = new HashSet<>();
    private Path log = Path.of("");
    private Path calls = Path.of("");
    private Path run = Path.of("");
    private String reward = "";

    @BeforeEach
    void makeProgram() throws IOException {
        log = folder.resolve("log.txt");
        calls = folder.resolve("calls");
        run = folder.resolve("killed").resolve("run");
        reward = Scorer.in(folder, calls);
    }

    private Process train(Path directory, int iterations) throws IOException {
        List<String> args = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--algo", "ppo-kq-plus"));
        args.addAll(List.of("--batch", "10", "--select", "4", "--iterations", Integer.toString(iterations)));
        args.addAll(
                List.of("--mean-epochs", "2", "--value-epochs", "2", "--reward", reward, "--reward-per", "episode"));
        args.addAll(List.of("--threads", "1", "--out", directory.toString()));
        if (Files.exists(directory.resolve("config.yaml"))) {
            args.add("--resume");
        }
        return Tool.start(log, args.toArray(String[]::new));
    }

    @Test
    void killedOnceItEndsTheSameAndNothingIsBoughtTwice() throws Exception {
        killAndCompare(1, 2);
    }

    @Test
    @Tag("slow")
    void killedManyTimesItEndsTheSameAndNothingIsBoughtTwice() throws Exception {
        int most = Integer.getInteger("pgkq.kills", 100);
        killAndCompare(most, 4);
        if (most >= 2 * KillMoment.values().length) {
            assertThat(kills).containsOnlyKeys(KillMoment.values());
        }
    }

    private void killAndCompare(int most, int first) throws Exception {
        long start = System.nanoTime();
        int iterations = kill(most, first);
        Process last = train(run, iterations);
        assertThat(last.waitFor()).as(this::log).isZero();
        long seconds = (System.nanoTime() - start) / 1_000_000_000;
        Map<String, Integer> made = Scorer.calls(calls);
        Files.delete(calls);

        Path quiet = folder.resolve("quiet").resolve("run");
        assertThat(train(quiet, iterations).waitFor()).as(this::log).isZero();
        Map<String, Integer> once = Scorer.calls(calls);
        assertThat(once.values()).containsOnly(1);
        assertSameBits(quiet, iterations);

        List<LedgerEntry> entries = LedgerCopy.entries(run);
        int inDoubt = entries.stream().mapToInt(LedgerEntry::inDoubt).sum();
        System.out.printf(
                Locale.ROOT,
                "%d kills in %d s %s: %d iterations, %d calls for %d rewards, %d times one was in doubt, %d from the spool%n",
                most,
                seconds,
                kills,
                iterations,
                made.values().stream().mapToInt(Integer::intValue).sum(),
                entries.size(),
                inDoubt,
                spooled.size());
        assertThat(entries).extracting(LedgerEntry::state).containsOnly(State.DONE);
        assertThat(keys(entries)).isEqualTo(once.keySet()).containsAll(recorded);
        assertThat(inDoubt)
                .as("rewards that were out when a process was killed")
                .isPositive();
        for (LedgerEntry entry : entries) {
            assertThat(made.get(entry.id().key().hex()))
                    .as("calls for an evaluation that was in doubt %d times", entry.inDoubt())
                    .isBetween(1, 1 + entry.inDoubt());
        }
        spooled.forEach((key, before) ->
                assertThat(made.get(key)).as("calls of a key in the spool").isEqualTo(before));
    }

    /** Kills so many processes, and returns the number of iterations that the run should have then. */
    private int kill(int most, int first) throws Exception {
        int iterations = first;
        for (int killed = 0; killed < most; ) {
            // the last one comes at once after a request, so that at least one reward is in doubt
            KillMoment moment = killed == most - 1 ? KillMoment.CALL : next(killed);
            int delay = killed == most - 1 ? 0 : random.nextInt(moment.millis);
            if (moment == KillMoment.SPOOL && !putIntoSpool()) {
                moment = KillMoment.CALL;
            }
            Process process = train(run, iterations);
            if (moment.endsBefore(delay, process, run, calls)) {
                assertThat(process.exitValue()).as(this::log).isZero();
                iterations += MORE;
                continue;
            }
            process.destroyForcibly().waitFor();
            kills.merge(moment, 1, Integer::sum);
            killed++;
            awaitPrograms();
            requireRecorded();
        }
        return iterations;
    }

    /** Programs that were running when their process was killed may still record a call. */
    private void awaitPrograms() {
        ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(calls.toString()))
                .forEach(process -> process.onExit().join());
    }

    /** Every moment in turn, with a random one between two of them. */
    private KillMoment next(int killed) {
        KillMoment[] all = KillMoment.values();
        return killed % 3 == 2 ? all[random.nextInt(all.length)] : all[(killed - killed / 3) % all.length];
    }

    /** Puts the answers to the rewards in doubt where a process that was stopped would have put them. */
    private boolean putIntoSpool() throws IOException {
        if (!Files.exists(run.resolve("ledger.db"))) {
            return false;
        }
        Set<String> inDoubt = keys(copyOfLedger().stream()
                .filter(entry -> entry.state() == State.RUNNING)
                .toList());
        Map<String, Integer> made = Scorer.calls(calls);
        for (String key : inDoubt) {
            if (made.containsKey(key)) {
                Path spool = Files.createDirectories(run.resolve("spool"));
                Files.writeString(spool.resolve(key + ".json"), Scorer.answer(key));
                spooled.put(key, made.get(key));
            }
        }
        return !inDoubt.isEmpty();
    }

    /** No kill loses an answer that was recorded before. */
    private void requireRecorded() throws IOException {
        if (Files.exists(run.resolve("ledger.db"))) {
            Set<String> now = keys(copyOfLedger().stream()
                    .filter(entry -> entry.state() == State.DONE)
                    .toList());
            assertThat(now).containsAll(recorded);
            recorded.addAll(now);
        }
    }

    /** What the ledger has, which the killed process may have been making. */
    private List<LedgerEntry> copyOfLedger() throws IOException {
        try {
            return LedgerCopy.entries(run, folder.resolve("copy"));
        } catch (UserException e) {
            assertThat(recorded).as("killed while the ledger was made: " + e).isEmpty();
            return List.of();
        }
    }

    private static Set<String> keys(List<LedgerEntry> entries) {
        return entries.stream().map(entry -> entry.id().key().hex()).collect(Collectors.toSet());
    }

    private void assertSameBits(Path quiet, int iterations) {
        Scorer.assertSame(run, quiet);
        assertThat(Metrics.read(run.resolve("metrics.csv")).column("iteration")).hasSize(iterations);
        Snapshot saved = saved(run);
        assertThat(saved.iteration()).isEqualTo(iterations);
        assertThat(withoutCallsInDoubt(saved))
                .usingRecursiveComparison()
                .withStrictTypeChecking()
                .isEqualTo(saved(quiet));
    }

    private static Snapshot saved(Path directory) {
        return new RunDirectory(directory)
                .checkpoints()
                .newest()
                .orElseThrow()
                .saved()
                .snapshot();
    }

    /** A run that was never killed has none. */
    private static Snapshot withoutCallsInDoubt(Snapshot saved) {
        Map<String, String> attributes = new LinkedHashMap<>(saved.attributes());
        assertThat(attributes.keySet().removeIf(name -> name.startsWith("paid/unanswered/")))
                .isTrue();
        return new Snapshot(saved.tensors(), saved.counters(), attributes);
    }

    private String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
