package dev.pgkq.spark;

import static dev.pgkq.spark.StandaloneCluster.await;
import static dev.pgkq.spark.StandaloneCluster.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.app.Main;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.Advice;
import dev.pgkq.app.training.TrainingRun;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.EpisodeReward;
import dev.pgkq.rewards.cluster.ClusterException;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.state.Snapshot;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Executors, drivers and clusters that die, hang or lack something: a run is not changed, or ends with a clear message. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FaultsTest {
    @TempDir
    private Path folder;

    private final StandaloneCluster cluster = StandaloneCluster.shared();

    private static List<String> settings(String task, int iterations) {
        return List.of(
                "env=" + task, "algo=ppo-kq", "iterations=" + iterations, "batch=16", "select=4", "mean-epochs=4");
    }

    /** The settings for the same run on a cluster. */
    private static List<String> on(StandaloneCluster cluster, List<String> settings, String... more) {
        return Runs.with(Runs.with(settings, cluster.setting()), more);
    }

    private CompletableFuture<Runs.Messages> train(Path run, List<String> settings) {
        return CompletableFuture.supplyAsync(() -> Runs.train(run, false, settings));
    }

    /** Trains on the cluster with batches that stay on executors, whose episodes leave marks. */
    private CompletableFuture<Runs.Messages> trainMarked(
            Path run, List<String> settings, Path marks, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("spark.pgkq.smallBatch=0", "spark.executorEnv.PGKQ_TEST_MARKS=" + marks));
        return train(run, on(cluster, settings, "cluster-options=" + String.join(",", all)));
    }

    /** Waits for something that happens during a run; fails with the run's exception if it ends before. */
    private static void awaitDuring(CompletableFuture<?> run, BooleanSupplier condition) throws Exception {
        AtomicBoolean happened = new AtomicBoolean();
        await(() -> {
            happened.set(condition.getAsBoolean());
            return happened.get() || run.isDone();
        });
        if (!happened.get()) {
            run.get();
        }
        assertThat(happened).as("what was to happen during the run").isTrue();
    }

    private static void assertSame(Path there, Path here) throws IOException {
        assertThat(Runs.metrics(there)).isEqualTo(Runs.metrics(here));
        assertThat(Runs.policy(there)).isEqualTo(Runs.policy(here));
    }

    /** The newest checkpoint, without the calls that a killed executor leaves in doubt. */
    private static Snapshot savedWithoutCallsInDoubt(Path run) {
        Snapshot saved = new RunDirectory(run)
                .checkpoints()
                .newest()
                .orElseThrow()
                .saved()
                .snapshot();
        Map<String, String> attributes = new LinkedHashMap<>(saved.attributes());
        attributes.keySet().removeIf(name -> name.startsWith("paid/unanswered/"));
        return new Snapshot(saved.tensors(), saved.counters(), attributes);
    }

    private static long count(Path marks) {
        try (Stream<Path> files = Files.list(marks)) {
            return files.count();
        } catch (IOException e) {
            return 0;
        }
    }

    /**
     * The living executor that has most recently started an episode. Another one may have been added late and have nothing to do, or
     * belong to an earlier run.
     */
    private static ProcessHandle sampling(Path marks) throws IOException {
        try (Stream<Path> files = Files.list(marks)) {
            return files.sorted(Comparator.comparing(FaultsTest::modified).reversed())
                    .map(mark -> mark.getFileName().toString())
                    .map(name -> Long.parseLong(name.substring(0, name.indexOf('-'))))
                    .flatMap(pid -> ProcessHandle.of(pid).stream())
                    .filter(ProcessHandle::isAlive)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static FileTime modified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The form of the test below with one fault. */
    @Test
    @Tag("slow")
    void anExecutorThatDiesWhileItSamplesChangesNothing() throws Exception {
        List<String> settings = settings(SlowTasks.ID, 2);
        Path here = folder.resolve("here");
        Runs.train(here, false, settings);
        Path marks = Files.createDirectory(folder.resolve("marks"));
        Path there = folder.resolve("there");
        CompletableFuture<Runs.Messages> run = trainMarked(there, settings, marks);
        awaitDuring(run, () -> count(marks) > 4);
        sampling(marks).destroyForcibly();
        Runs.Messages messages = run.get();
        assertSame(there, here);
        assertThat(count(marks)).as("some episodes were sampled twice").isGreaterThan(2 * 16);
        assertThat(messages.lines)
                .anyMatch(line -> line.matches("pgkq: executor \\d+ on \\S+ was lost .*sampled again.*"));
    }

    /** One executor is killed and, some iterations later, another one stops responding, both while they sample. */
    @Test
    @Tag("slow")
    void anExecutorThatDiesAndOneThatHangsChangeNothing() throws Exception {
        List<String> settings = settings(SlowTasks.ID, 10);
        Path here = folder.resolve("here");
        Runs.train(here, false, settings);
        Path marks = Files.createDirectory(folder.resolve("marks"));
        Path there = folder.resolve("there");
        // an executor may start slowly on a busy machine; one that hangs is noticed sooner
        CompletableFuture<Runs.Messages> run = trainMarked(
                there,
                settings,
                marks,
                "spark.network.timeout=20s",
                "spark.network.timeoutInterval=4s",
                "spark.executor.heartbeatInterval=4s");
        awaitDuring(run, () -> count(marks) > 16);
        long before = count(marks);
        // waiting for its end could outlast the run: the end of a process that is not a child is noticed late
        sampling(marks).destroyForcibly();
        awaitDuring(run, () -> count(marks) > before + 8);
        ProcessHandle stopped = sampling(marks);
        signal(stopped, "STOP");
        Runs.Messages messages = run.get();
        stopped.destroyForcibly();
        assertSame(there, here);
        assertThat(count(marks)).as("some episodes were sampled twice").isGreaterThan(10 * 16);
        assertThat(messages.lines)
                .anyMatch(line -> line.matches("pgkq: executor \\d+ on \\S+ was lost .*sampled again.*"));
        assertThat(messages.lines.stream().filter(line -> line.contains("was lost")))
                .hasSizeGreaterThanOrEqualTo(2);
        assertThat(messages.lines).anyMatch(line -> line.contains("heartbeat"));
    }

    private Path scorer(Path calls) throws IOException {
        Path script = folder.resolve("score.sh");
        Files.writeString(script, """
                #!/bin/sh
                # records the call, waits, and answers with a number that depends on the episode only
                echo "$PGKQ_IDEMPOTENCY_KEY" >>"%1$s/calls"
                touch "%1$s/$PGKQ_IDEMPOTENCY_KEY.$PGKQ_ATTEMPT.began"
                sleep 0.3
                sum=$(printf '%%s' "$PGKQ_IDEMPOTENCY_KEY" | cksum | cut -d ' ' -f 1)
                touch "%1$s/$PGKQ_IDEMPOTENCY_KEY.$PGKQ_ATTEMPT.done"
                echo "{\\"return\\": $((sum %% 100))}"
                """.formatted(calls));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return script;
    }

    /** Only the evaluation that was in progress on the killed executor is repeated, and the ledger records that. */
    @Test
    @Tag("slow")
    void anExecutorThatDiesDuringAnEvaluationBuysNothingTwice() throws Exception {
        Path callsHere = Files.createDirectory(folder.resolve("calls-here"));
        Path calls = Files.createDirectory(folder.resolve("calls"));
        List<String> settings =
                Runs.with(settings("Pendulum-v1", 5), "reward-per=episode", "rewards-at-once=2", "reward-attempts=1");
        Path here = folder.resolve("here");
        Runs.train(here, false, Runs.with(settings, "reward=exec:" + scorer(callsHere)));
        Path there = folder.resolve("there");
        CompletableFuture<Runs.Messages> run =
                train(there, on(cluster, settings, "reward=exec:" + scorer(calls), "reward-on=cluster"));
        // from the second iteration on, an executor whose program has started and not finished
        List<ProcessHandle> busy = new ArrayList<>();
        awaitDuring(run, () -> {
            if (count(calls) > 9) {
                cluster.executors().stream()
                        .filter(FaultsTest::isStoppedWithAProgram)
                        .findFirst()
                        .ifPresent(busy::add);
            }
            return !busy.isEmpty();
        });
        busy.getFirst().destroyForcibly();
        run.get();
        assertThat(Runs.metrics(there)).isEqualTo(Runs.metrics(here));
        assertThat(savedWithoutCallsInDoubt(there))
                .usingRecursiveComparison()
                .isEqualTo(savedWithoutCallsInDoubt(here));
        Map<String, Long> asked = Files.readAllLines(calls.resolve("calls")).stream()
                .collect(Collectors.groupingBy(key -> key, Collectors.counting()));
        assertThat(asked).hasSameSizeAs(Files.readAllLines(callsHere.resolve("calls")));
        List<Long> again = asked.values().stream().filter(times -> times > 1).toList();
        assertThat(again).hasSizeLessThanOrEqualTo(1).allMatch(times -> times == 2);
        try (Ledger ledger = Ledger.open(there.resolve("ledger.db").toString())) {
            List<LedgerEntry> entries = new ArrayList<>();
            ledger.read(entries::add);
            assertThat(entries).hasSameSizeAs(asked.keySet()).allMatch(entry -> entry.state() == State.DONE);
            entries.forEach(entry -> assertThat((long) entry.attempts())
                    .isGreaterThanOrEqualTo(asked.get(entry.id().key().hex())));
            assertThat(entries.stream().mapToInt(LedgerEntry::attempts).sum()).isEqualTo(entries.size() + 1);
        }
    }

    private static boolean runsAProgram(ProcessHandle executor) {
        return executor.descendants()
                .anyMatch(program -> program.info().commandLine().orElse("").contains("score.sh"));
    }

    /** Stops an executor that runs a program. It goes on if the program has ended meanwhile: it may have sent the answer. */
    private static boolean isStoppedWithAProgram(ProcessHandle executor) {
        if (!runsAProgram(executor)) {
            return false;
        }
        signal(executor, "STOP");
        boolean inTime = runsAProgram(executor);
        if (!inTime) {
            signal(executor, "CONT");
        }
        return inTime;
    }

    /** A user's reward. */
    public static final class Own implements EpisodeReward.OfWhole {
        @Override
        public double reward(Episode episode, EnvironmentSpec spec) {
            double sum = 0;
            for (float action : episode.actions()) {
                sum += action;
            }
            return sum;
        }
    }

    @Test
    @Tag("slow")
    void aRewardClassGivesTheSameOnTheClusterAsHere() throws IOException {
        List<String> settings =
                Runs.with(settings("Pendulum-v1", 3), "reward-per=episode", "reward=java:" + Own.class.getName());
        Runs.train(folder.resolve("here"), false, settings);
        Runs.train(folder.resolve("there"), false, on(cluster, settings, "reward-on=cluster"));
        assertSame(folder.resolve("there"), folder.resolve("here"));
    }

    @Test
    @Tag("slow")
    void aCancelledJobEndsTheRunWithAMessage() throws Exception {
        Path run = folder.resolve("run");
        Path marks = Files.createDirectory(folder.resolve("marks"));
        TrainingRun training = new TrainingRun(
                new RunDirectory(run),
                false,
                Runs.config(on(
                        cluster,
                        settings(SlowTasks.ID, 6),
                        "cluster-options=spark.executorEnv.PGKQ_TEST_MARKS=" + marks)));
        CompletableFuture<Void> outcome =
                CompletableFuture.runAsync(() -> training.run(new Runs.Messages(), () -> false));
        awaitDuring(outcome, () -> count(marks) > 4);
        training.abandon();
        assertThatThrownBy(outcome::get)
                .cause()
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("sampling on spark://")
                .hasMessageContaining("cancelled");
    }

    private void assertEndsWhenStopped(StandaloneCluster other, CompletableFuture<Runs.Messages> run) {
        other.stop();
        assertThatThrownBy(run::get)
                .cause()
                .hasMessageContaining("no executor for 30s")
                .isInstanceOfSatisfying(
                        UserException.class, e -> assertThat(Advice.message(e)).contains("--resume"));
    }

    /** Spark would wait forever. */
    @Test
    @Tag("slow")
    void aStoppedClusterEndsTheRun() throws Exception {
        StandaloneCluster other = StandaloneCluster.start();
        Path marks = Files.createDirectory(folder.resolve("marks"));
        CompletableFuture<Runs.Messages> run = train(
                folder.resolve("run"),
                on(
                        other,
                        settings(SlowTasks.ID, 50),
                        "cluster-timeout=30",
                        "cluster-options=spark.executorEnv.PGKQ_TEST_MARKS=" + marks));
        awaitDuring(run, () -> count(marks) > 20);
        assertEndsWhenStopped(other, run);
    }

    /** The run does not go on to retry evaluations that no executor can start. */
    @Test
    @Tag("slow")
    void aClusterThatIsStoppedDuringAnEvaluationEndsTheRun() throws Exception {
        StandaloneCluster other = StandaloneCluster.start();
        Path calls = Files.createDirectory(folder.resolve("calls"));
        CompletableFuture<Runs.Messages> run = train(
                folder.resolve("run"),
                on(
                        other,
                        settings("Pendulum-v1", 50),
                        "cluster-timeout=30",
                        "reward-per=episode",
                        "reward=exec:" + scorer(calls),
                        "reward-on=cluster"));
        awaitDuring(run, () -> other.executors().stream().anyMatch(FaultsTest::runsAProgram));
        assertEndsWhenStopped(other, run);
    }

    @Test
    @Tag("slow")
    void aWorkerWithoutMujocoIsNamed() {
        assertThatThrownBy(() -> Runs.train(
                        folder.resolve("run"),
                        false,
                        on(
                                cluster,
                                settings("Hopper-v4", 2),
                                "cluster-options=spark.executor.extraJavaOptions=-Dpgkq.mujoco=/nowhere/libmujoco.so")))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("on " + Shard.host() + ": ")
                .hasMessageContaining("MuJoCo")
                .hasMessageContaining("/nowhere/libmujoco.so");
    }

    @Test
    void aMissingMasterIsAnError() {
        assertThatThrownBy(() -> Runs.train(
                        folder.resolve("a"),
                        false,
                        Runs.with(settings("Pendulum-v1", 2), "cluster=spark://127.0.0.1:1")))
                .hasMessageContaining("no Spark master at spark://127.0.0.1:1")
                .isInstanceOfSatisfying(
                        ClusterException.class,
                        e -> assertThat(e.problem()).isEqualTo(ClusterException.Problem.UNREACHABLE));
        assertThat(folder.resolve("a")).doesNotExist();
    }

    @Test
    void anAddressOfAnotherFormatIsAnError() {
        assertThatThrownBy(() -> Runs.train(
                        folder.resolve("a"), false, Runs.with(settings("Pendulum-v1", 2), "cluster=somewhere")))
                .hasMessageStartingWith("the address of a cluster must be spark://HOST:PORT")
                .hasMessageEndingWith("got 'somewhere'")
                .isInstanceOfSatisfying(
                        ClusterException.class,
                        e -> assertThat(Advice.message(e)).endsWith("'somewhere'. --cluster sets the address"));
        assertThat(folder.resolve("a")).doesNotExist();
    }

    @Test
    @Tag("slow")
    void aClusterWithoutRoomIsAnError() {
        assertThatThrownBy(() -> Runs.train(
                        folder.resolve("b"),
                        false,
                        on(
                                cluster,
                                settings("Pendulum-v1", 2),
                                "cluster-timeout=5",
                                "cluster-options=spark.executor.memory=1000g")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("1000g");
        assertThat(folder.resolve("b")).doesNotExist();
    }

    /** The driver runs in its own process here, is killed in the middle and started again. */
    @Test
    @Tag("slow")
    void aKilledDriverResumesToTheSameResult() throws Exception {
        List<String> settings = settings("Pendulum-v1", 8);
        Path here = folder.resolve("here");
        Runs.train(here, false, settings);
        Path there = folder.resolve("there");
        Process first = driver(there, settings, false);
        await(() -> rows(there) > 3 || !first.isAlive());
        first.destroyForcibly().waitFor();
        assertThat(rows(there)).isBetween(4L, 8L);
        assertThat(driver(there, settings, true).waitFor()).isZero();
        assertSame(there, here);
    }

    private static long rows(Path run) {
        try (Stream<String> lines = Files.lines(run.resolve("metrics.csv"))) {
            return lines.count();
        } catch (IOException e) {
            return 0;
        }
    }

    private Process driver(Path out, List<String> settings, boolean resume) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(ProcessHandle.current().info().arguments().stream()
                .flatMap(Stream::of)
                .filter(word -> word.startsWith("--add-opens") || word.startsWith("--sun-misc"))
                .toList());
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--add-modules=jdk.incubator.vector",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "train",
                "--out",
                out.toString(),
                "--cluster",
                cluster.address()));
        settings.forEach(each -> {
            command.add("--" + each.substring(0, each.indexOf('=')));
            command.add(each.substring(each.indexOf('=') + 1));
        });
        if (resume) {
            command.add("--resume");
        }
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        folder.resolve(resume ? "second.txt" : "first.txt").toFile())
                .start();
    }
}
