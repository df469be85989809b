package dev.pgkq.app.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.rewards.SmallDisk;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.State;
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
                            key=$(basename $request .json)
                            mv $request $box/requests/$key.claimed 2>/dev/null || continue
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
        assertThat(Files.readString(run.resolve("events.jsonl"))).doesNotContain("reward-failed");
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(run.toString(), entries::add);
        assertThat(entries).hasSize(8).allSatisfy(entry -> {
            assertThat(entry.state()).isEqualTo(State.DONE);
            assertThat(entry.error()).isEmpty();
        });
        assertThat(Files.readAllLines(calls)).hasSize(8).doesNotHaveDuplicates();
    }
}
