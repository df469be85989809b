package dev.pgkq.app.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Training with rewards from a program that records every call, killed at random moments and resumed: the result is the same
 * as without kills, every recorded answer is used, and no call is repeated except those that were in doubt.
 *
 * <p>{@code -Dslow -Dpgkq.kills=200} kills more often.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
class KilledTrainingTest {
    @TempDir
    private Path folder = Path.of("");

    private static String[] training(Path run, String reward, int iterations) {
        List<String> args = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--algo", "ppo-kq-plus"));
        args.addAll(List.of("--batch", "10", "--select", "4", "--iterations", Integer.toString(iterations)));
        args.addAll(
                List.of("--mean-epochs", "2", "--value-epochs", "2", "--reward", reward, "--reward-per", "episode"));
        args.addAll(List.of("--threads", "1", "--out", run.toString()));
        if (Files.exists(run.resolve("config.yaml"))) {
            args.add("--resume");
        }
        return args.toArray(String[]::new);
    }

    /** When to kill: waits until there are more than {@code calls} bytes of recorded calls, then for some milliseconds. */
    private record Moment(long calls, int millis) {}

    private static final Moment NEVER = new Moment(Long.MAX_VALUE, 0);

    /**
     * Some kills come at any time, mostly while Java starts or a run is restored. Most come shortly after a request for a
     * reward, which takes the program 50 ms; a clock alone would miss that on a busy machine. The last one comes at once after a
     * request, so that at least one reward is in doubt.
     */
    private static Moment aMoment(Random random, Path calls, boolean last) throws IOException {
        if (last) {
            return new Moment(count(calls), 0);
        }
        boolean anyTime = random.nextInt(4) == 0;
        return new Moment(anyTime ? -1 : count(calls), random.nextInt(anyTime ? 2500 : 120));
    }

    private static long count(Path calls) throws IOException {
        return Files.exists(calls) ? Files.size(calls) : 0;
    }

    private static boolean endsBefore(Moment moment, Process process, Path calls) throws Exception {
        while (count(calls) <= moment.calls) {
            if (process.waitFor(5, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return process.waitFor(moment.millis, TimeUnit.MILLISECONDS);
    }

    @Test
    void killedOnceItEndsTheSameAndNothingIsBoughtTwice() throws Exception {
        killAndCompare(1);
    }

    @Test
    @Tag("slow")
    void killedManyTimesItEndsTheSameAndNothingIsBoughtTwice() throws Exception {
        killAndCompare(Integer.getInteger("pgkq.kills", 20));
    }

    /** Every kill loses the answers that are pending, so there must be enough iterations for all kills. */
    private void killAndCompare(int most) throws Exception {
        int iterations = most > 1 ? 4 + most / 4 : 2;
        Path log = folder.resolve("log.txt");
        Path calls = folder.resolve("calls");
        String reward = Scorer.in(folder, calls);
        Path quiet = folder.resolve("quiet").resolve("run");
        assertThat(Tool.start(log, training(quiet, reward, iterations)).waitFor())
                .as(() -> text(log))
                .isZero();
        Map<String, Integer> once = Scorer.calls(calls);
        assertThat(once.values()).containsOnly(1);
        Files.delete(calls);

        long start = System.nanoTime();
        Path run = folder.resolve("killed").resolve("run");
        Random random = new Random(5);
        int kills = 0;
        int complete = 0;
        while (complete == 0) {
            Process process = Tool.start(log, training(run, reward, iterations));
            boolean ended = kills < most
                    ? endsBefore(aMoment(random, calls, kills == most - 1), process, calls)
                    : endsBefore(NEVER, process, calls);
            if (ended) {
                assertThat(process.exitValue()).as(() -> text(log)).isZero();
                complete++;
            } else {
                process.destroyForcibly().waitFor();
                kills++;
            }
        }

        Scorer.assertSame(run, quiet);
        assertThat(Metrics.read(run.resolve("metrics.csv")).column("iteration")).hasSize(iterations);
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(run.resolve("ledger.db").toString(), entries::add);
        assertThat(entries).extracting(LedgerEntry::state).containsOnly(State.DONE);
        assertThat(entries.stream().map(entry -> entry.id().key().hex()))
                .containsExactlyInAnyOrderElementsOf(once.keySet());
        Map<String, Integer> made = Scorer.calls(calls);
        int inDoubt = entries.stream().mapToInt(LedgerEntry::inDoubt).sum();
        System.out.printf(
                "%d kills in %d s: %d calls for %d rewards, %d times one was in doubt%n",
                kills,
                (System.nanoTime() - start) / 1_000_000_000,
                made.values().stream().mapToInt(Integer::intValue).sum(),
                entries.size(),
                inDoubt);
        assertThat(inDoubt)
                .as("rewards that were out when a process was killed")
                .isPositive();
        for (LedgerEntry entry : entries) {
            assertThat(made.get(entry.id().key().hex()))
                    .as("calls for an evaluation that was in doubt %d times", entry.inDoubt())
                    .isBetween(1, 1 + entry.inDoubt());
        }
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
