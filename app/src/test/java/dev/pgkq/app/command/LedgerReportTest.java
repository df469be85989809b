package dev.pgkq.app.command;

import static dev.pgkq.rewards.ledger.TestEvaluations.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.FailureKind;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.LedgerReport;
import dev.pgkq.rewards.ledger.State;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LedgerReportTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static LedgerEntry entry(int number, String task, String run, State state, double seconds, String error) {
        boolean done = state == State.DONE;
        return new LedgerEntry(
                new EvaluationId(key(number), "judge", task, run, 0, number, 10),
                state,
                state == State.REQUESTED ? 0 : 1 + number % 2,
                number == 1 ? 1 : 0,
                number == 2 ? 3 : 0,
                START,
                state == State.REQUESTED ? null : START,
                done || state == State.FAILED ? START.plus(Duration.ofMillis((long) (seconds * 1000))) : null,
                number == 8 || number == 9 ? "process 7 on here" : "",
                null,
                done ? new LedgerEntry.Answered(5, 0.25, number == 4) : null,
                number == 5 ? new LedgerEntry.Unanswered(2, 0.5) : LedgerEntry.Unanswered.NONE,
                error);
    }

    private static LedgerReport report() {
        LedgerReport report = new LedgerReport();
        report.accept(entry(1, "Hopper-v4", "a", State.DONE, 40, ""));
        report.accept(entry(2, "Hopper-v4", "a", State.DONE, 50, "timeout after 60 s"));
        report.accept(entry(3, "Hopper-v4", "b", State.DONE, 70, ""));
        report.accept(entry(4, "Walker2d-v4", "b", State.DONE, 7200, ""));
        report.accept(entry(5, "Walker2d-v4", "b", State.FAILED, 1, "timeout after 61 s"));
        report.accept(entry(6, "Walker2d-v4", "b", State.FAILED, 1, "timeout after 62 s"));
        report.accept(entry(7, "Walker2d-v4", "b", State.FAILED, 1, "no such\nfile"));
        report.accept(entry(8, "Walker2d-v4", "b", State.RUNNING, 0, ""));
        report.accept(entry(9, "Walker2d-v4", "b", State.REQUESTED, 0, ""));
        report.accept(entry(10, "Walker2d-v4", "b", State.RUNNING, 0, ""));
        report.accept(entry(11, "Walker2d-v4", "b", State.REQUESTED, 0, ""));
        report.accept(entry(12, "Walker2d-v4", "b", State.REQUESTED, 0, ""));
        return report;
    }

    @Test
    void sumsUpWhatWasSpentAndOnWhat() {
        LedgerReport report = report();
        assertThat(report.all().answers()).isEqualTo(4);
        assertThat(report.all().cost()).isEqualTo(1);
        assertThat(report.all().attempts()).isEqualTo(2 + 1 + 2 + 1 + 2 + 1 + 2 + 1 + 1);
        assertThat(report.all().inDoubt()).isEqualTo(2);
        assertThat(report.all().failedAttempts()).isEqualTo(1 + 2 + 1 + 2);
        assertThat(report.all().unanswered()).isEqualTo(2);
        assertThat(report.all().unansweredCost()).isEqualTo(0.5);
        assertThat(report.all().reused()).isEqualTo(3);
        assertThat(report.all().failed()).isEqualTo(3);
        assertThat(report.all().running()).isEqualTo(1);
        assertThat(report.all().waiting()).isEqualTo(1);
        assertThat(report.all().leftInDoubt()).isEqualTo(1);
        assertThat(report.all().notBought()).isEqualTo(2);
        assertThat(report.all().damaged()).isEqualTo(1);
        assertThat(report.byTask()).containsOnlyKeys("Hopper-v4", "Walker2d-v4");
        assertThat(report.byTask())
                .hasEntrySatisfying(
                        "Hopper-v4", spent -> assertThat(spent.answers()).isEqualTo(3));
        assertThat(report.byRun())
                .hasEntrySatisfying("b", spent -> assertThat(spent.cost()).isEqualTo(0.5));
        assertThat(report.seconds()).containsExactly(40, 50, 70, 7200);
    }

    @Test
    void failuresThatDifferInNumbersOnlyAreOneKind() {
        assertThat(report().failures())
                .extracting(
                        LedgerReport.Failures::example,
                        kind -> kind.newest().key(),
                        LedgerReport.Failures::givenUp,
                        LedgerReport.Failures::retried)
                .containsExactly(tuple("timeout after 60 s", key(2), 2, 1), tuple("no such\nfile", key(7), 1, 0));
    }

    @Test
    void keysAndQuotedWordsMakeNoOtherKind() {
        String key = key(1).hex();
        String one = "exec:sh x.sh said “boo”; the request is in runs/a/oracle/evaluations/" + key + ".1";
        String other = "gave up after 5 attempts; last error: exec:sh x.sh said “bah!”; the request is in"
                + " runs/a/oracle/evaluations/" + key(2).hex() + ".17-2";
        assertThat(FailureKind.of(one)).isEqualTo(FailureKind.of(other)).contains("evaluations/KEY");
        assertThat(FailureKind.of("no defaced facade")).isEqualTo("no defaced facade");
        assertThat(FailureKind.of("exit code 1")).isNotEqualTo(FailureKind.of("signal 1"));
    }

    @Test
    void readsLikeThis() {
        assertThat(LedgerReportText.lines(report(), 60))
                .containsExactly(
                        "  answers   4 paid for, cost 1.00; 3 repeated requests were",
                        "            answered for free",
                        "  attempts  13, of which 6 failed and 2 ended in doubt:",
                        "            requested, with no answer received",
                        "            2 without an answer count as paid for, cost",
                        "            0.500",
                        "  given up  3 after all attempts",
                        "  open      1 being evaluated, 1 waiting, 1 in doubt, to be",
                        "            requested again with the same key",
                        "            2 not bought: selected, but never requested",
                        "  DAMAGED   1 answer is not what was recorded; restore the",
                        "            ledger from a backup",
                        "",
                        "  task      answers   cost  reused  tries  failed  doubt  given up  open",
                        "  Hop…r-v4        3  0.750       3      5       1      1         0     0",
                        "  Wal…d-v4        1  0.250       0      8       5      1         3     3",
                        "",
                        "  run  answers   cost  reused  tries  failed  doubt  given up  open",
                        "  a          2  0.500       3      3       0      1         0     0",
                        "  b          2  0.500       0     10       6      1         3     3",
                        "",
                        "  4 evaluations took at least 40s, at the median 1m 00s, at",
                        "  the 90 % quantile 1h 24m, at most 2h 00m",
                        "    30s –    1m │█████████████████████████████████████████ 2",
                        "     1m –    2m │████████████████████▌ 1",
                        "     2m –    5m │ 0",
                        "     5m –   10m │ 0",
                        "    10m –   30m │ 0",
                        "    30m –    1h │ 0",
                        "     1h –    2h │ 0",
                        "     2h –    5h │████████████████████▌ 1",
                        "",
                        "  failed  given up  newest",
                        "       3         2  " + key(2).hex().substring(0, 12) + "… iteration 0, episode 2",
                        "          timeout after 60 s",
                        "       1         1  " + key(7).hex().substring(0, 12) + "… iteration 0, episode 7",
                        "          no such file");
    }

    /** A wrapped row would be unreadable. */
    @Test
    void longNamesAreShortenedInTheMiddleSoThatRowsFit() {
        LedgerReport report = new LedgerReport();
        report.accept(entry(1, "InvertedDoublePendulum-v4", "Hopper-v4_ppo-kq-plus_seed1", State.DONE, 40, ""));
        report.accept(entry(3, "Hopper-v4", "Hopper-v4_ppo-kq-plus_seed2", State.DONE, 40, ""));
        assertThat(LedgerReportText.lines(report, 80))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80))
                .anyMatch(line -> line.startsWith("  Hopper-…us_seed1 "))
                .anyMatch(line -> line.startsWith("  Hopper-…us_seed2 "))
                .anyMatch(line -> line.startsWith("  Hopper-v4 "));
        assertThat(LedgerReportText.lines(report, 120))
                .anyMatch(line -> line.startsWith("  Hopper-v4_ppo-kq-plus_seed1 "));
    }

    @Test
    void anEmptyLedgerHasAReport() {
        assertThat(LedgerReportText.lines(new LedgerReport(), 80)).hasSize(5);
    }
}
