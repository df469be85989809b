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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Rewards through a folder whose disk fills up: a request that could not be written is not a failed attempt. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@EnabledOnOs(value = OS.LINUX, disabledReason = "mounts a file system as Linux does")
class FilesOnAFullDiskTest {
    @TempDir
    private Path folder = Path.of("");

    private static List<LedgerEntry> ledger(Path run) {
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(run.toString(), entries::add);
        return entries;
    }

    private static List<String> training(Path box, Path run) {
        return List.of(("train --env Pendulum-v1 --algo ppo --batch 4 --value-epochs 2 --iterations 1 --threads 1"
                        + " --reward files:%s --reward-per episode --reward-attempts 1 --out %s")
                .formatted(box, run)
                .split(" "));
    }

    /** When the script ends, the small disk is gone, and its folder is an ordinary one with space. */
    @Test
    void aFirstRequestThatDoesNotFitIsNotAFailedAttempt() throws Exception {
        Path run = folder.resolve("run");
        SmallDisk disk = new SmallDisk(folder.resolve("disk"), 1);
        Path box = disk.path().resolve("rewards");
        List<String> training = training(box, run);
        String out = disk.run(Tool.command(), """
                mkdir -p $disk/rewards/requests $disk/rewards/answers $disk/rewards/done
                head -c 99m /dev/zero >$disk/ballast 2>/dev/null || true
                code=0
                $child %s 2>&1 || code=$?
                echo "exit code $code"
                """.formatted(String.join(" ", training)));
        assertThat(out.replaceAll("\\s+", " ")).contains("the disk is full", "exit code 2");
        assertThat(ledger(run)).hasSize(4).allSatisfy(entry -> {
            assertThat(entry.state()).isNotEqualTo(State.FAILED);
            assertThat(entry.error()).isEmpty();
        });

        Files.createDirectories(box.resolve("answers"));
        for (LedgerEntry entry : ledger(run)) {
            Files.writeString(box.resolve("answers").resolve(entry.id().key() + ".json"), "{\"return\": 1}");
        }
        List<String> resuming = new ArrayList<>(training);
        resuming.add("--resume");
        Tool.Result result = Tool.run(resuming.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertDone(run, 4);
    }

    private static void assertDone(Path run, int rewards) throws IOException {
        assertThat(Files.readString(run.resolve("events.jsonl"))).doesNotContain("reward-failed");
        assertThat(ledger(run)).hasSize(rewards).allSatisfy(entry -> {
            assertThat(entry.state()).isEqualTo(State.DONE);
            assertThat(entry.error()).isEmpty();
        });
    }

    @Test
    @Tag("slow")
    void aRequestThatDoesNotFitIsNotAFailedAttempt() throws Exception {
        Path run = folder.resolve("run");
        Path calls = folder.resolve("calls");
        String out = new SmallDisk(folder.resolve("disk"), 2)
                .run(Tool.command(), """
                box=$disk/rewards; run=%s; calls=%s; log=%s
                mkdir -p $box/requests $box/answers
                work() {
                    while [ ! -e $log.over ]; do
                        for request in $box/requests/*.json; do
                            key=$(basename "$request" .json)
                            mv "$request" "$box/requests/$key.claimed" 2>/dev/null || continue
                            echo $key >>$calls
                            echo '{"return": 1}' >$box/answers/.$key
                            mv $box/answers/.$key $box/answers/$key.json
                        done
                        sleep 0.05
                    done
                }
                train() {
                    code=0
                    $child train --env Pendulum-v1 --algo ppo --batch 4 --value-epochs 2 --reward files:$box \\
                        --reward-per episode --reward-attempts 1 --threads 1 --out $run "$@" >$log 2>&1 || code=$?
                    cat $log
                    echo "exit code $code"
                }
                work & worker=$!
                train --iterations 1
                head -c 99m /dev/zero >$disk/ballast 2>/dev/null || true
                echo "== full"
                train --iterations 2 --resume
                rm $disk/ballast
                echo "== room again"
                train --iterations 2 --resume
                touch $log.over
                wait $worker
                """.formatted(run, calls, folder.resolve("log")));
        String[] parts = out.split("== ");
        assertThat(parts[0]).contains("exit code 0");
        assertThat(parts[1].replaceAll("\\s+", " ")).contains("the disk is full", "exit code 2");
        assertThat(parts[2]).contains("exit code 0");
        assertDone(run, 8);
        assertThat(Files.readAllLines(calls)).hasSize(8).doesNotHaveDuplicates();
    }
}
