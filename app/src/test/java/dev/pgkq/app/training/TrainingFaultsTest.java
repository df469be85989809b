package dev.pgkq.app.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.rewards.SmallDisk;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Training with rewards from a program, on a disk that is full, is read-only, or damages the ledger. The error is reported in one
 * message. When it is fixed, the same command ends like a run without faults and requests no reward twice.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@EnabledOnOs(value = OS.LINUX, disabledReason = "mounts a file system as Linux does")
class TrainingFaultsTest {
    private static final int ITERATIONS = 5;
    /** Room for three checkpoints, and a little more. */
    private static final int MEGABYTES = 3;

    @TempDir
    private Path folder = Path.of("");

    private String reward = "";
    private Path calls = Path.of("");
    private Path undisturbed = Path.of("");

    @BeforeEach
    void trainWithoutFaults() throws IOException {
        calls = folder.resolve("calls");
        reward = Scorer.in(folder, calls);
        Files.createDirectory(folder.resolve("temporary"));
        undisturbed = folder.resolve("undisturbed").resolve("run");
        Tool.Result result = Tool.run(training(undisturbed, ITERATIONS));
        assertThat(result.exitCode()).as(result.err()).isZero();
        Files.delete(calls);
    }

    private String[] training(Path run, int iterations) {
        return new String[] {
            "train",
            "--env",
            "Pendulum-v1",
            "--algo",
            "ppo",
            "--batch",
            "4",
            "--iterations",
            Integer.toString(iterations),
            "--value-epochs",
            "2",
            "--reward",
            reward,
            "--reward-per",
            "episode",
            "--threads",
            "1",
            "--out",
            run.toString()
        };
    }

    /**
     * Runs a script on a small disk. In it, {@code train ITERATIONS …} trains in {@code $disk/run} and prints its exit code; when
     * it reports that answers are kept in memory, {@code $then} is executed.
     */
    private String onASmallDisk(String script) throws IOException, InterruptedException {
        SmallDisk disk = new SmallDisk(folder.resolve("disk"), MEGABYTES);
        String[] command = training(disk.path().resolve("run"), 0);
        command[Arrays.asList(command).indexOf("--iterations") + 1] = "$iterations";
        StringBuilder words = new StringBuilder();
        Stream.of(command).forEach(word -> words.append(" \"").append(word).append('"'));
        String out = disk.run(
                Tool.command("-Djava.io.tmpdir=" + folder.resolve("temporary")),
                """
                        log=%s
                        out=%s
                        then=
                        train() {
                            iterations=$1; shift
                            >$log
                            $child %s "$@" >$log 2>&1 & pid=$!
                            while kill -0 $pid 2>/dev/null; do
                                if [ -n "$then" ] && grep -q 'kept in memory' $log; then eval "$then"; then=; fi
                                sleep 0.1
                            done
                            code=0; wait $pid || code=$?
                            cat $log
                            echo "exit code $code"
                        }
                        fill() { head -c 99m /dev/zero >$disk/ballast 2>/dev/null || true; }
                        """.formatted(folder.resolve("log"), folder.resolve("after"), words) + script + """

                        cp -r $disk/run $out
                        """);
        assertThat(out).doesNotContain("Exception", "\tat ", "internal error");
        return unwrapped(out);
    }

    /** Long messages are wrapped. */
    private static String unwrapped(String text) {
        return text.replaceAll("\\s+", " ");
    }

    private void assertLikeRunWithoutFaults(Path run) throws IOException {
        Scorer.assertSame(run, undisturbed);
        Map<String, Integer> made = Scorer.calls(calls);
        assertThat(made.values()).containsOnly(1);
        assertThat(run.resolve("spool")).doesNotExist();
        try (Stream<Path> temporary = Files.list(folder.resolve("temporary"))) {
            assertThat(temporary)
                    .noneMatch(file -> file.getFileName().toString().startsWith("pgkq-answers-"));
        }
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(run.toString(), entries::add);
        assertThat(entries).extracting(LedgerEntry::state).containsOnly(State.DONE);
        assertThat(entries.stream().map(entry -> entry.id().key().hex()))
                .containsExactlyInAnyOrderElementsOf(made.keySet());
    }

    /** The less room there is, the earlier it fails: at the settings, a request, the ledger, the metrics, a checkpoint. */
    @Test
    @Tag("slow")
    void aFullDiskStopsTrainingWhereverItIsNoticed() throws Exception {
        String out = onASmallDisk("""
                train 1
                for room in 0 8 16 32 64 512; do
                    then='kill -TERM $pid'
                    fill
                    size=$(stat -c %s $disk/ballast)
                    truncate -s $((size - room * 1024)) $disk/ballast
                    echo "== $room kB"
                    train 5 --resume
                    $child ledger $disk/run
                done
                echo "== room again"
                rm $disk/ballast
                train 5 --resume
                """);
        String[] parts = out.split("== ");
        assertThat(parts).hasSize(8);
        for (String part : Arrays.asList(parts).subList(1, 7)) {
            assertThat(part)
                    .contains("the disk is full", "exit code 2", " paid for")
                    .containsIgnoringCase("free some space");
        }
        assertThat(parts[7]).contains("exit code 0");
        assertLikeRunWithoutFaults(folder.resolve("after"));
    }

    /** The program fills the disk while all four answers of the third iteration are out and nothing of them is on disk. */
    private void fillInTheThirdIteration() throws IOException {
        Scorer.meanwhile(calls, """
                exec </dev/null; rm request.json
                echo removed >>"$1.removed"
                if [ "$(wc -l <"$1")" -gt 8 ]; then
                    while [ "$(wc -l <"$1.removed")" -lt 12 ]; do sleep 0.05; done
                    if mkdir "$1.filling" 2>/dev/null; then head -c 99m /dev/zero >"%s/ballast"; touch "$1.filled"; fi
                    while [ ! -e "$1.filled" ]; do sleep 0.05; done
                fi
                """.formatted(folder.resolve("disk")));
    }

    @Test
    @Tag("slow")
    void anAnswerThatArrivesOnAFullDiskIsKeptUntilThereIsRoom() throws Exception {
        fillInTheThirdIteration();
        String out = onASmallDisk("""
                then='rm $disk/ballast'
                train 5
                """);
        assertThat(out).contains("the disk is full", "kept in memory", "exit code 0");
        assertLikeRunWithoutFaults(folder.resolve("after"));
    }

    /**
     * After a failed write the connection is closed, which copies the ledger's log into its file and deletes the log. The next
     * connection finds room where the log was.
     */
    @Test
    @Tag("slow")
    void anAnswerThatArrivesOnAFullDiskIsRecordedWhereTheLedgersLogWas() throws Exception {
        fillInTheThirdIteration();
        String out = onASmallDisk("""
                then='kill -TERM $pid'
                train 5
                rm $disk/ballast
                echo "== room again"
                train 5 --resume
                """);
        String[] parts = out.split("== ");
        assertThat(parts[0])
                .contains("kept in memory", "cannot write " + folder.resolve("disk/run/checkpoint"), "exit code 2");
        assertThat(parts[1]).contains("exit code 0").doesNotContain("recorded 4 answers");
        assertLikeRunWithoutFaults(folder.resolve("after"));
    }

    /** Another process has the log open, as a backup program may, so that deleting it frees nothing. */
    @Test
    @Tag("slow")
    void stoppingOnAFullDiskSavesTheAnswersInFilesAndResumingRecordsThem() throws Exception {
        fillInTheThirdIteration();
        String held = calls + ".held";
        Files.writeString(
                folder.resolve("calls.meanwhile"),
                "while [ ! -e %s ] && [ ! -e \"$1.filled\" ]; do sleep 0.05; done%n".formatted(held)
                        + Files.readString(folder.resolve("calls.meanwhile")));
        String out = onASmallDisk("""
                hold() {
                    log=$disk/run/ledger.db-wal; index=$disk/run/ledger.db-shm
                    while [ ! -e $log ] || [ ! -e $index ]; do sleep 0.05; done
                    exec 3<$log 4<$index
                    touch %1$s
                    while [ -e %1$s ]; do sleep 0.05; done
                }
                hold & holder=$!
                then='kill -TERM $pid'
                train 5
                rm %1$s
                wait $holder
                rm $disk/ballast
                echo "== room again"
                train 5 --resume
                """.formatted(held));
        String[] parts = out.split("== ");
        assertThat(parts[0])
                .contains(
                        "kept in memory",
                        "the disk is full",
                        "Answers that were not recorded are in files in " + folder.resolve("temporary"),
                        "exit code 2");
        assertThat(parts[1]).contains("recorded 4 answers", "exit code 0");
        assertLikeRunWithoutFaults(folder.resolve("after"));
    }

    @Test
    @Tag("slow")
    void aReadOnlyDiskIsReportedAndLeftAsItIs() throws Exception {
        String out = onASmallDisk("""
                train 2
                mount -o remount,ro $disk
                echo "== read-only"
                train 5 --resume
                $child ledger $disk/run
                mount -o remount,rw $disk
                echo "== again"
                train 5 --resume
                """);
        String[] parts = out.split("== ");
        assertThat(parts[1]).contains("is read-only", "exit code 2", "8 paid for");
        assertThat(parts[2]).contains("exit code 0");
        assertLikeRunWithoutFaults(folder.resolve("after"));
    }

    @Test
    void aDamagedLedgerIsReportedAndLeftAsItIs() throws IOException {
        Path run = folder.resolve("run");
        assertThat(Tool.run(training(run, 2)).exitCode()).isZero();
        Path ledger = run.resolve("ledger.db");
        byte[] sound = Files.readAllBytes(ledger);
        byte[] damaged = sound.clone();
        Arrays.fill(damaged, 4096, 8192, (byte) 0x5a);
        Files.write(ledger, damaged);
        List<String> resume = new ArrayList<>(List.of(training(run, ITERATIONS)));
        resume.add("--resume");

        Tool.Result refused = Tool.run(resume.toArray(String[]::new));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(unwrapped(refused.err()))
                .contains("the ledger " + ledger + " is damaged", "was left unchanged", "Restore a backup")
                .doesNotContain("Exception");
        assertThat(Files.readAllBytes(ledger)).isEqualTo(damaged);

        Files.write(ledger, sound);
        Tool.Result resumed = Tool.run(resume.toArray(String[]::new));
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        assertLikeRunWithoutFaults(run);
    }
}
