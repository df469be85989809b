package dev.pgkq.app.training;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.terminal.Shell;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Signals as a terminal sends them: SIGINT and SIGHUP to the whole process group, including the reward programs. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
class InterruptedTrainingTest {
    /** Starts a new process group in which SIGINT is not ignored, as it may be in the process group of the tests. */
    private static final List<String> IN_GROUP =
            List.of("perl", "-e", "setpgrp; $SIG{INT} = 'DEFAULT'; exec @ARGV or die");

    @TempDir
    private Path folder = Path.of("");

    private Path run = Path.of("");
    private Path log = Path.of("");
    private Path calls = Path.of("");

    @BeforeEach
    void requirePerl() {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "perl makes the process group");
        run = folder.resolve("run");
        log = folder.resolve("log.txt");
        calls = folder.resolve("calls");
    }

    /** The first call is made alone, so it is answered at once; this script is for the others. */
    private String afterTheFirst(String script) {
        return "if [ $(wc -l <" + calls + ") -gt 1 ]; then " + script + "; fi";
    }

    private Process train(String script, String... more) throws IOException {
        return Tool.start(IN_GROUP, log, arguments(script, more));
    }

    private String[] arguments(String script, String... more) throws IOException {
        Path file = folder.resolve("score.sh");
        Files.writeString(
                file,
                "echo $$ >>" + folder.resolve("pids") + "; echo $PGKQ_IDEMPOTENCY_KEY >>" + calls + "\n" + script
                        + "\necho '{\"return\": 1}'\n",
                UTF_8);
        List<String> args = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--algo", "ppo"));
        args.addAll(List.of("--batch", "6", "--select", "3", "--iterations", "2", "--threads", "1"));
        args.addAll(List.of("--reward", "exec:sh " + file, "--reward-per", "episode", "--out", run.toString()));
        args.addAll(List.of(more));
        return args.toArray(String[]::new);
    }

    private static void interrupt(Process group) throws IOException, InterruptedException {
        send("INT", group.pid());
    }

    private static void send(String signal, long group) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + signal, "--", "-" + group)
                        .start()
                        .waitFor())
                .isZero();
    }

    private void await(Path file, String words, Process process) throws IOException, InterruptedException {
        while (!Files.exists(file) || !Files.readString(file).contains(words)) {
            assertThat(process.isAlive()).as(() -> text(log)).isTrue();
            Thread.sleep(50);
        }
    }

    private void awaitCalls(int count, Process process) throws IOException, InterruptedException {
        while (!Files.exists(calls) || Files.readAllLines(calls).size() < count) {
            assertThat(process.isAlive()).as(() -> text(log)).isTrue();
            Thread.sleep(50);
        }
    }

    private List<LedgerEntry> ledger() {
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(run.resolve("ledger.db").toString(), entries::add);
        return entries;
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void theFirstCtrlCWaitsForPendingRewardsAndDoesNotKillPrograms() throws Exception {
        Path go = folder.resolve("go");
        Process process = train(afterTheFirst("while [ ! -e '" + go + "' ]; do sleep 0.1; done"));
        awaitCalls(3, process);
        interrupt(process);
        await(log, "then saving", process);
        Files.createFile(go);
        assertThat(process.waitFor()).as(() -> text(log)).isEqualTo(130);
        assertThat(Scorer.calls(calls)).hasSize(3);
        assertThat(Scorer.calls(calls).values()).containsOnly(1);
        assertThat(ledger()).hasSize(3).extracting(LedgerEntry::state).containsOnly(State.DONE);
        assertThat(text(log))
                .contains("waiting for the 2 rewards that are out, then saving", "stopped after iteration 1 of 2")
                .doesNotContain("failed");
    }

    /** Whether this process ignores SIGHUP, as its children then do. */
    private static boolean ignoresHangups() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> Character.digit(line.charAt(line.length() - 1), 16) % 2 == 1);
    }

    /** The system sends SIGHUP when a terminal goes away; whatever is printed afterwards fails. */
    @Test
    @Tag("slow")
    @EnabledOnOs(value = OS.LINUX, disabledReason = "script has other options elsewhere")
    void closingTheTerminalWaitsForPendingRewardsAndSavesThem() throws Exception {
        Assumptions.assumeFalse(ignoresHangups(), "the tests run under nohup, and so would training");
        Path go = folder.resolve("go");
        List<String> command = new ArrayList<>(Tool.command());
        command.addAll(List.of(arguments(afterTheFirst("while [ ! -e '" + go + "' ]; do sleep 0.1; done"))));
        Process terminal = new ProcessBuilder(
                        "script", "--quiet", "--flush", "--command", "exec " + Shell.command(command), log.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        awaitCalls(3, terminal);
        ProcessHandle training = terminal.children().findFirst().orElseThrow();
        terminal.destroyForcibly().waitFor();
        // as some shells do in addition
        send("HUP", training.pid());
        Files.createFile(go);
        training.onExit().join();
        assertThat(Scorer.calls(calls)).hasSize(3);
        assertThat(Scorer.calls(calls).values()).containsOnly(1);
        assertThat(ledger()).hasSize(3).extracting(LedgerEntry::state).containsOnly(State.DONE);
        assertThat(run.resolve("events.jsonl"))
                .content()
                .contains("\"event\":\"stopped\"")
                .doesNotContain("failed");
        assertThat(run.resolve("checkpoint/iteration-000001.safetensors")).exists();
    }

    @Test
    @Tag("slow")
    void underNohupTrainingGoesOnWhenTheTerminalIsClosed() throws Exception {
        Path go = folder.resolve("go");
        List<String> nohup = new ArrayList<>(IN_GROUP);
        nohup.add("nohup");
        String script = afterTheFirst("while [ ! -e '" + go + "' ]; do sleep 0.1; done");
        Process process = Tool.start(nohup, log, arguments(script));
        awaitCalls(3, process);
        send("HUP", process.pid());
        Files.createFile(go);
        assertThat(process.waitFor()).as(() -> text(log)).isZero();
        assertThat(Scorer.calls(calls)).hasSize(6);
        assertThat(Scorer.calls(calls).values()).containsOnly(1);
    }

    @Test
    @Tag("slow")
    void theSecondCtrlCReportsPendingRewardsAndReleasesThem() throws Exception {
        Process process = train(afterTheFirst("sleep 1000"));
        awaitCalls(3, process);
        interrupt(process);
        await(log, "to stop at once and leave them in doubt", process);
        interrupt(process);
        assertThat(process.waitFor()).as(() -> text(log)).isEqualTo(130);
        assertThat(text(log))
                .contains("stopping at once", "the 2 rewards that are out", "requests them again with the same key")
                .contains("resume    pgkq train --resume --out " + run)
                .doesNotContain("internal error");
        for (String pid : Files.readAllLines(folder.resolve("pids"))) {
            assertThat(ProcessHandle.of(Long.parseLong(pid)).map(ProcessHandle::isAlive))
                    .as("process " + pid)
                    .isNotEqualTo(Optional.of(true));
        }
        assertThat(ledger()).hasSize(3);
        assertThat(ledger().stream().filter(LedgerEntry::isInDoubt)).hasSize(2);
        assertThat(Tool.run("ledger", run.toString()).out().replaceAll("\\s+", " "))
                .contains("0 being evaluated", "2 in doubt, to be requested again with the same key");
        assertThat(run.resolve("events.jsonl")).content().contains("\"event\":\"stopped\"", "\"atOnce\":true");

        Process resumed = train("", "--resume", "--reward-version", "1");
        assertThat(resumed.waitFor()).as(() -> text(log)).isZero();
        assertThat(ledger()).hasSize(6).extracting(LedgerEntry::state).containsOnly(State.DONE);
        assertThat(ledger().stream().mapToInt(LedgerEntry::inDoubt).sum()).isEqualTo(2);
        assertThat(Scorer.calls(calls).values()).containsExactlyInAnyOrder(2, 2, 1, 1, 1, 1);
    }
}
