package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.EpisodeReward;
import dev.pgkq.rewards.people.PeopleQueue;
import dev.pgkq.rewards.people.PeopleSettings;
import dev.pgkq.rewards.people.Rating;
import dev.pgkq.rewards.people.RatingScale;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Run directories with every file in turn missing, damaged or replaced by something else. Whatever reads runs says so in one clear
 * message or does without the file; it neither hangs nor fails with an internal error, and still shows the other runs.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs pipes and sparse files")
class DamagedRunsTest {
    private static final int ITERATIONS = 3;
    private static final long TOO_LARGE = 6L << 30;
    private static final String GOOD = "good";

    @TempDir
    private static Path root = Path.of("");

    private static Dashboard server;
    private static DashboardClient client;

    /** What may have happened to a file. */
    private enum Damage {
        MISSING,
        EMPTY,
        TRUNCATED,
        FOLDER,
        LINK_LOOP,
        PIPE,
        DEVICE,
        GARBAGE,
        TOO_LARGE;

        void apply(Path file) throws IOException, InterruptedException {
            byte[] before = Files.isRegularFile(file) ? Files.readAllBytes(file) : new byte[0];
            if (this != TOO_LARGE) {
                delete(file);
            }
            switch (this) {
                case MISSING -> {}
                case EMPTY -> Files.createFile(file);
                case TRUNCATED -> Files.write(file, Arrays.copyOf(before, before.length / 2));
                case FOLDER -> Files.createDirectory(file);
                case LINK_LOOP -> Files.createSymbolicLink(file, file.getFileName());
                case PIPE ->
                    assertThat(new ProcessBuilder("mkfifo", file.toString())
                                    .start()
                                    .waitFor())
                            .isZero();
                case DEVICE -> Files.createSymbolicLink(file, Path.of("/dev/zero"));
                case GARBAGE -> {
                    byte[] garbage = new byte[5000];
                    new Random(1).nextBytes(garbage);
                    Files.write(file, garbage);
                }
                case TOO_LARGE -> {
                    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
                        sparse.setLength(DamagedRunsTest.TOO_LARGE);
                    }
                }
            }
        }
    }

    /** A damaged run, by the name of its directory. */
    private record Case(String target, Damage damage) {
        Path run() {
            return root.resolve(toString());
        }

        @Override
        public String toString() {
            return target.replaceAll("[^a-z-]+", "-") + "." + damage.name().toLowerCase(Locale.ROOT);
        }
    }

    /** Rewards from outside, so that there is a ledger. */
    public static final class Score implements EpisodeReward.OfWhole {
        @Override
        public double reward(Episode episode, EnvironmentSpec spec) {
            return episode.actions()[0];
        }
    }

    private static final List<String> FILES = List.of(
            "config.yaml",
            "metrics.csv",
            "events.jsonl",
            "run-id",
            "ledger.db",
            ".lock",
            "checkpoint/iteration-000003.safetensors",
            "trace/figure.json",
            "trace/iterations/000003.json",
            "trace/episodes/000003.safetensors",
            "curve.png",
            "people.db");
    private static final List<String> FOLDERS = List.of("checkpoint", "trace", "trace/episodes");

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (String file : FILES) {
            for (Damage damage : Damage.values()) {
                cases.add(new Case(file, damage));
            }
        }
        for (String folder : FOLDERS) {
            for (Damage damage : List.of(Damage.MISSING, Damage.EMPTY, Damage.LINK_LOOP, Damage.PIPE, Damage.GARBAGE)) {
                cases.add(new Case(folder, damage));
            }
        }
        return cases;
    }

    /** One case of each kind of damage, for what takes longer. */
    static List<Case> some() {
        return Stream.of(Damage.values())
                .map(damage -> new Case(FILES.get(damage.ordinal() % 7), damage))
                .toList();
    }

    @BeforeAll
    static void makeRuns() throws IOException, InterruptedException {
        Path good = root.resolve(GOOD);
        Tool.Result result = train(good, ITERATIONS);
        assertThat(result.exitCode()).as(result.err()).isZero();
        PeopleSettings settings = PeopleSettings.defaults(Rating.SCALE, RatingScale.parse("0 .. 10"));
        PeopleQueue.open(good, settings, InstantSource.system()).close();
        for (Case each : cases()) {
            copy(good, each.run());
            each.damage.apply(each.run().resolve(each.target));
        }
        server = Dashboard.start(Dashboard.Settings.of(root).withPort(0));
        client = new DashboardClient(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Tool.Result train(Path run, int iterations, String... more) {
        List<String> words = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--batch", "4", "--select", "2"));
        words.addAll(List.of("--reward", "java:" + Score.class.getName(), "--reward-per", "episode", "--threads", "1"));
        words.addAll(List.of("--iterations", Integer.toString(iterations), "--out", run.toString()));
        words.addAll(List.of(more));
        return Tool.run(words.toArray(String[]::new));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    private static void delete(Path path) throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void assertClear(Case damaged, Tool.Result result) {
        String said = result.out() + result.err();
        assertThat(said).doesNotContain("Exception", "\tat ", "internal error", "java.", "null");
        assertThat(result.exitCode()).as(said).isIn(0, 2);
        if (result.exitCode() == 2) {
            String name = Path.of(damaged.target).getFileName().toString();
            assertThat(said.replaceAll("\\s+", "")).containsAnyOf(name, damaged.toString());
        }
    }

    @Test
    void thereAreAtLeastSixty() {
        assertThat(cases()).hasSizeGreaterThanOrEqualTo(60).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void pagesShowWhatThereIsOrSayWhatIsWrong(Case damaged) throws IOException, InterruptedException {
        boolean isRun = Files.exists(damaged.run().resolve("config.yaml"));
        String run = "/api/runs/" + damaged;
        List<String> paths = List.of("", "/metrics", "/trace", "/figure", "/ledger", "/rating", "/iterations/3");
        for (String path : Stream.concat(paths.stream(), Stream.of("/iterations/3/episodes/0"))
                .toList()) {
            HttpResponse<String> answer = client.get(run + path);
            assertThat(answer.statusCode())
                    .as(run + path + ": " + answer.body())
                    .isIn(200, 404, 500);
            assertThat(answer.body()).doesNotContain("Exception", "internal server error", root.toString());
            JsonNode json = DashboardClient.parse(answer);
            assertThat(json.has("error")).isEqualTo(answer.statusCode() != 200);
            if (path.isEmpty()) {
                assertThat(answer.statusCode()).isEqualTo(isRun ? 200 : 404);
            }
        }
    }

    @Test
    void theOtherRunsAreListed() throws IOException, InterruptedException {
        JsonNode runs = client.json("/api/runs");
        assertThat(runs.valueStream().map(run -> run.path("id").asString()))
                .contains(GOOD)
                .hasSizeGreaterThan(60);
        JsonNode good = runs.valueStream()
                .filter(run -> run.path("id").asString().equals(GOOD))
                .findFirst()
                .orElseThrow();
        assertThat(good.path("state").asString()).isEqualTo("finished");
        assertThat(good.path("iteration").asInt()).isEqualTo(ITERATIONS);
    }

    @Test
    void aReportHasTheRunsThatCanBeReadAndNamesTheOthers(@TempDir Path folder) throws IOException {
        Tool.Result result = Tool.run("plot", root.toString(), "--out", folder.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out() + result.err()).doesNotContain("Exception", "\tat ", "internal error");
        String page = Files.readString(folder.resolve("report.html"));
        assertThat(page)
                .contains(GOOD, "metrics-csv.pipe", "config-yaml.garbage")
                .doesNotContain("Exception");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theLedgerIsShownOrTheErrorIsClear(Case damaged) {
        assertClear(damaged, Tool.run("ledger", damaged.run().toString()));
    }

    @ParameterizedTest
    @MethodSource("some")
    void aRunResumesOrTheErrorIsClear(Case damaged, @TempDir Path folder) throws IOException, InterruptedException {
        resume(damaged, folder);
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Tag("slow")
    void everyRunResumesOrTheErrorIsClear(Case damaged, @TempDir Path folder) throws IOException, InterruptedException {
        resume(damaged, folder);
    }

    private static void resume(Case damaged, Path folder) throws IOException, InterruptedException {
        Path run = folder.resolve(damaged.toString());
        copy(root.resolve(GOOD), run);
        damaged.damage.apply(run.resolve(damaged.target));
        assertClear(
                damaged, Tool.run("train", "--resume", "--out", run.toString(), "--iterations", "" + (ITERATIONS + 1)));
    }
}
