package dev.pgkq.app.training;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs whose rewards come from a program that fails for some episodes, or for all of them until it is fixed. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
class FailingRewardsTest {
    private static final int ITERATIONS = 4;

    @TempDir
    private Path folder = Path.of("");

    private static final String ALL = "*";
    private static final String NONE = "x";

    /** A program that fails permanently for the episodes with these indices in the batch. */
    private String scorer(String places) throws IOException {
        Path script = folder.resolve("score.sh");
        Files.writeString(script, """
                cat >/dev/null
                case ${PGKQ_EPISODE##*/} in %s) echo "cannot see a thing" >&2; exit 78 ;; esac
                echo '{"return": 7}'
                """.formatted(places), UTF_8);
        return "exec:sh " + script;
    }

    private Tool.Result train(Path run, String reward, String... more) {
        List<String> args = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--algo", "ppo-kq"));
        args.addAll(List.of("--batch", "12", "--select", "6", "--iterations", Integer.toString(ITERATIONS)));
        args.addAll(List.of("--reward", reward, "--reward-per", "episode", "--out", run.toString()));
        args.addAll(Arrays.asList(more));
        return Tool.run(args.toArray(String[]::new));
    }

    private static List<LedgerEntry> ledger(Path run) {
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(run.resolve("ledger.db").toString(), entries::add);
        return entries;
    }

    /** Three of twelve episodes fail, so that at least half of six rewards always arrive. */
    @ParameterizedTest
    @ValueSource(strings = {"reweight", "replace"})
    void aRunContinuesWithoutTheRewardsThatFail(String onFailure) throws IOException {
        Path run = folder.resolve(onFailure);
        Tool.Result result = train(run, scorer("0|4|8"), "--on-failure", onFailure);
        assertThat(result.exitCode()).as(result.err()).isZero();
        long failed = ledger(run).stream()
                .filter(entry -> entry.state() == State.FAILED)
                .count();
        long paid = ledger(run).size() - failed;
        assertThat(failed).isPositive();
        assertThat(ledger(run).stream()
                        .filter(entry -> entry.state() == State.FAILED)
                        .toList())
                .allSatisfy(entry -> assertThat(entry.error()).contains("cannot see a thing"));
        assertThat(result.out()).contains("7.00 by the rewards paid for, -").contains("by the task's own");
        assertThat(Metrics.read(run.resolve("metrics.csv")).column("paid_return"))
                .containsExactly(new double[] {7, 7, 7, 7}, within(1e-12));
        double[] used = Metrics.read(run.resolve("metrics.csv")).column("reward_evaluations");
        assertThat(used).hasSize(ITERATIONS);
        assertThat((long) used[ITERATIONS - 1]).isEqualTo(paid);
        assertThat(paid + failed).isBetween(paid + 1, (long) (onFailure.equals("replace") ? 2 : 1) * 6 * ITERATIONS);
    }

    @Test
    void withoutAnyRewardTheRunStopsAndContinuesWhenTheProgramIsFixed() throws IOException {
        Path run = folder.resolve("run");
        String reward = scorer(ALL);
        Tool.Result broken = train(run, reward);
        assertThat(broken.exitCode()).isEqualTo(2);
        assertThat(broken.err().replaceAll("\\s+", " "))
                .contains("0 of ", "rewards of iteration 1 arrived", "cannot see a thing", "--resume")
                .doesNotContain("Exception");
        assertThat(Files.readAllLines(run.resolve("events.jsonl")).stream()
                        .filter(line -> line.contains("\"reward-failed\""))
                        .toList())
                .as("the first failure, and how many there were: more than half of six")
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line).contains("cannot see a thing", "\"then\":\"given up\"", "\"iteration\":1"))
                .last()
                .asString()
                .contains("\"times\":4");
        scorer(NONE);
        Tool.Result fixed = train(run, reward, "--resume");
        assertThat(fixed.exitCode()).as(fixed.err()).isZero();
        assertThat(ledger(run)).extracting(LedgerEntry::state).containsOnly(State.DONE);
    }

    @Test
    @Tag("slow")
    void aLongErrorIsShownOnceAndShortenedWithTheFileThatHasTheRest() throws Exception {
        Path run = folder.resolve("run");
        Path script = Files.writeString(
                folder.resolve("score.sh"),
                "if [ $PGKQ_ITERATION = 1 ]; then echo '{\"return\": 1}'; exit; fi\n"
                        + "for i in 1 2 3 4 5 6 7 8; do echo \"frame $i of a long trace with many words in every line\" >&2; done\n"
                        + "echo 'ValueError: no mesh' >&2; exit 1\n");
        Path log = folder.resolve("log");
        List<String> args = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--algo", "ppo"));
        args.addAll(
                List.of("--batch", "2", "--select", "2", "--reward", "exec:sh " + script, "--reward-attempts", "2"));
        args.addAll(List.of("--reward-per", "episode", "--out", run.toString()));
        assertThat(Tool.start(log, args.toArray(String[]::new)).waitFor()).isEqualTo(2);
        String shown = Files.readString(log).replaceAll("\\s+", " ");
        assertThat(shown)
                .containsOnlyOnce("ValueError: no mesh")
                .containsPattern("all of it is in " + run + "/oracle/[0-9a-f]+\\.1\\.stderr")
                .contains("given up): the reason is the one above", "0 of 2 rewards of iteration 2 arrived")
                .containsPattern(
                        "2 calls have failed so far for the reason given above for episode [01] of iteration 2\\."
                                + " In all, 4 calls without an answer count against the budget\\. --reward-attempts \\(now 2\\) limits the"
                                + " calls for a reward; with --cost-of-failure 0 failed calls are free and do not count")
                .doesNotContain("frame 5");
        assertThat(run.resolve("events.jsonl")).content().contains("ValueError: no mesh");
    }

    @Test
    void aRunThatHasPaidForNothingMayContinueWithAnotherReward() throws IOException {
        Path run = folder.resolve("run");
        String wrong = scorer(ALL) + " --wrong";
        Tool.Result broken = train(run, wrong);
        assertThat(broken.exitCode()).isEqualTo(2);
        assertThat(broken.err().replaceAll("\\s+", " "))
                .contains("--resume", "until there is an answer, another --reward is allowed")
                .doesNotContain("paid for");
        assertThat(train(run, wrong).err()).contains("holds a run already", "no reward has been answered in it yet");
        String right = scorer(NONE);
        Tool.Result fixed = train(run, right, "--resume");
        assertThat(fixed.exitCode()).as(fixed.err()).isZero();
        assertThat(run.resolve("config.yaml")).content().contains("reward: " + right + "\n");
        Tool.Result changed = train(run, wrong, "--resume");
        assertThat(changed.exitCode()).isEqualTo(2);
        assertThat(changed.err()).contains("started with reward " + right);
    }

    @Test
    void anAnswerInTheLedgerMakesTheRewardFinal() throws IOException {
        Path run = folder.resolve("run");
        String reward = scorer("0|2|4|6|8|10");
        assertThat(train(run, reward, "--on-failure", "stop").exitCode()).isEqualTo(2);
        assertThat(ledger(run)).extracting(LedgerEntry::state).contains(State.DONE, State.FAILED);
        Tool.Result changed = train(run, reward + " --other", "--resume");
        assertThat(changed.exitCode()).isEqualTo(2);
        assertThat(changed.err()).contains("started with reward " + reward);
    }

    @Test
    void aBudgetThatIsTooSmallForOneIterationIsReportedAtTheStart() throws IOException {
        Path run = folder.resolve("run");
        Tool.Result poor = train(run, scorer(NONE), "--max-evaluations", "5");
        assertThat(poor.exitCode()).isEqualTo(2);
        assertThat(poor.err()).contains("--max-evaluations 5 does not pay for a single iteration", "may need 6");
        assertThat(run).doesNotExist();
        Tool.Result builtin =
                Tool.run("train", "--env", "Pendulum-v1", "--max-evaluations", "7", "--out", run.toString());
        assertThat(builtin.err()).contains("does not pay for a single iteration");
    }

    @Test
    @Tag("slow")
    void runsOfTheSameNameThatShareALedgerAreTwo() throws IOException {
        Path ledger = folder.resolve("shared.db");
        String reward = scorer(NONE);
        for (String seed : List.of("1", "2")) {
            Path run = folder.resolve("machine-" + seed).resolve("run");
            Tool.Result result =
                    train(run, reward, "--seed", seed, "--ledger", ledger.toString(), "--max-evaluations", "24");
            assertThat(result.exitCode()).as(result.err()).isZero();
            assertThat(result.out()).as("the budget is its own").contains("finished after iteration 4");
            String id = Files.readString(run.resolve("run-id")).strip();
            Tool.Result more = Tool.run(
                    "train", "--resume", "--out", run.toString(), "--iterations", "5", "--max-evaluations", "30");
            assertThat(more.exitCode()).as(more.err()).isZero();
            assertThat(run.resolve("run-id")).hasContent(id);
            List<LedgerEntry> entries = new ArrayList<>();
            Ledger.read(ledger.toString(), entries::add);
            assertThat(entries.stream().filter(entry -> entry.id().run().equals("run#" + id)))
                    .hasSize(30);
        }
        assertThat(Tool.run("ledger", ledger.toString()).out()).containsPattern("\\n  run#[0-9a-f]{12} +30 ");
    }

    /** The ledger of such a run contains its name without an id. */
    @Test
    void aRunStartedBeforeThereWereIdsContinuesWithoutOne() throws IOException {
        Path run = folder.resolve("run");
        String reward = scorer(NONE);
        Path config = folder.resolve("config.yaml");
        assertThat(train(run, reward, "--max-evaluations", "6").exitCode()).isZero();
        Files.copy(run.resolve("config.yaml"), config);
        Path old = Files.createDirectories(folder.resolve("old"));
        Files.copy(config, old.resolve("config.yaml"));
        Tool.Result resumed = Tool.run("train", "--resume", "--out", old.toString());
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        assertThat(old.resolve("run-id")).doesNotExist();
        assertThat(ledger(old)).extracting(entry -> entry.id().run()).containsOnly("old");
        assertThat(Tool.run("ledger", run.toString()).out()).containsPattern("\\n  run +6 ");
    }

    @Test
    void aBudgetEndsTheRunAndALargerOneContinuesIt() throws IOException {
        Path run = folder.resolve("run");
        String reward = scorer(NONE);
        Tool.Result poor = train(run, reward, "--max-evaluations", "13");
        assertThat(poor.exitCode()).as(poor.err()).isZero();
        String resume = poor.out()
                .lines()
                .filter(line -> line.contains("--resume"))
                .findFirst()
                .orElseThrow()
                .strip();
        assertThat(resume).isEqualTo("resume    pgkq train --resume --out " + run + " --max-evaluations 19");
        assertThat(poor.out()).contains("stopped at its budget after iteration 3 of 4", "13 reward evaluations, ");
        assertThat(Metrics.read(run.resolve("metrics.csv")).column("paid")).containsExactly(6, 6, 1);
        assertThat(Tool.run(
                                "plot",
                                run.toString(),
                                "--out",
                                folder.resolve("plot").toString())
                        .out())
                .contains("unfinished: run, 3 of 4 iterations, stopped at its budget");
        Tool.Result again = Tool.run("train", "--resume", "--out", run.toString());
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.out())
                .contains(
                        "the budget is used up, and no iteration was run; the run is still at iteration 3 of 4",
                        resume);
        assertThat(Tool.run("ledger", run.toString()).out())
                .contains("0 being evaluated, 0 waiting", "not bought: selected, but never requested");
        assertThat(ledger(run).stream().filter(entry -> entry.state() == State.DONE))
                .hasSize(13);
        assertThat(ledger(run)).extracting(LedgerEntry::state).doesNotContain(State.RUNNING, State.FAILED);
        List<String> words = List.of(resume.split(" +"));
        Tool.Result rich = Tool.run(words.subList(2, words.size()).toArray(String[]::new));
        assertThat(rich.exitCode()).as(rich.err()).isZero();
        assertThat(Metrics.read(run.resolve("metrics.csv")).column("iteration")).hasSize(ITERATIONS);

        assertThat(Tool.run("plot", run.toString()).exitCode()).isZero();
        assertThat(run.resolve("report.html"))
                .content()
                .contains("With rewards from outside, returns are those of the rewards paid for")
                .containsPattern("--reward-per episode[^\n]* --max-evaluations 19 --seed 1");

        Path own = folder.resolve("own");
        Tool.Result builtin = Tool.run(
                "train",
                "--env",
                "Pendulum-v1",
                "--algo",
                "ppo",
                "--batch",
                "4",
                "--max-evaluations",
                "10",
                "--iterations",
                "9",
                "--out",
                own.toString());
        assertThat(builtin.exitCode()).as(builtin.err()).isZero();
        assertThat(Metrics.read(own.resolve("metrics.csv")).column("reward_evaluations"))
                .containsExactly(4, 8, 10);
    }
}
