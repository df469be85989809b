package dev.pgkq.rewards.ledger;

import static dev.pgkq.rewards.ledger.TestEvaluations.answer;
import static dev.pgkq.rewards.ledger.TestEvaluations.id;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes that share a ledger, and processes that are killed. */
class LedgerProcessesTest {
    @TempDir
    Path folder;

    private String file() {
        return folder.resolve("ledger.db").toString();
    }

    @Test
    void processesThatWantTheSameBuyEachOnce() throws Exception {
        int count = 60;
        List<Process> buyers = new ArrayList<>();
        for (int seed = 0; seed < 3; seed++) {
            buyers.add(LedgerChild.start(LedgerChild.command("buy", file(), count, seed)));
        }
        List<Integer> bought = LedgerChild.numbers(buyers);
        assertThat(bought)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, count).boxed().toList());
    }

    /** A process is killed twenty times while it records; everything that it reported as recorded must be there. */
    @Test
    @Tag("slow")
    void aKilledProcessLosesNothingThatWasRecorded() throws Exception {
        Random random = new Random(20);
        TreeSet<Integer> printed = new TreeSet<>();
        int next = 0;
        for (int kill = 0; kill < 20; kill++) {
            Process process = LedgerChild.start(LedgerChild.command("record", file(), next, Integer.MAX_VALUE));
            try (BufferedReader lines = process.inputReader()) {
                for (int left = random.nextInt(40); left >= 0; left--) {
                    printed.add(Integer.valueOf(lines.readLine()));
                }
                LockSupport.parkNanos(random.nextInt(3_000_000));
                // Not Process.destroyForcibly, which also closes the stream of its output.
                process.toHandle().destroyForcibly();
                lines.lines()
                        .filter(line -> line.matches("\\d+"))
                        .map(Integer::valueOf)
                        .forEach(printed::add);
            }
            process.waitFor();
            next = printed.last() + 1;
        }
        AtomicInteger read = new AtomicInteger();
        Ledger.read(file(), entry -> read.addAndGet(entry.state() == State.DONE ? 1 : 0));
        assertThat(read.get()).isGreaterThanOrEqualTo(printed.size());
        try (Connection connection = LedgerTables.in(Path.of(file())).connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("PRAGMA integrity_check")) {
            rows.next();
            assertThat(rows.getString(1)).isEqualTo("ok");
        }
        assertThat(printed).hasSizeGreaterThan(20);
        try (Ledger ledger = Ledger.open(file())) {
            for (int number : printed) {
                assertThat(ledger.claim(id(number))).isEqualTo(new Claim.Done(answer(number)));
            }
        }
    }
}
