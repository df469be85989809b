package dev.pgkq.app.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllowanceTest {
    @Test
    void noLimitIsNone() {
        assertThat(new Allowance(Long.MAX_VALUE, 500).of(1_000_000, 3)).isEqualTo(Integer.MAX_VALUE);
    }

    /** A run that pays for as much as it may. */
    @ParameterizedTest
    @CsvSource({"1, 500", "20, 500", "100, 500", "500, 500", "10000, 500", "7, 12", "3, 6", "1, 1", "9, 1"})
    void aBudgetLastsUntilTheEnd(int budget, int iterations) {
        Allowance allowance = new Allowance(budget, iterations);
        long paid = 0;
        long early = 0;
        int last = 0;
        for (int done = 0; done < iterations; done++) {
            int allowed = allowance.of(paid, done);
            assertThat(allowed).isBetween(0, budget);
            assertThat(done > 0 || allowed > 0).as("something has to be known").isTrue();
            paid += allowed;
            early = 2 * done <= iterations ? paid : early;
            last = allowed > 0 ? done : last;
        }
        assertThat(paid).isLessThanOrEqualTo(budget);
        assertThat(paid).as("not saved for nothing").isGreaterThanOrEqualTo(budget * 9L / 10);
        assertThat(early).as("what is learned early serves longest").isGreaterThanOrEqualTo(budget / 2);
        if (budget >= 20) {
            assertThat(last).as("late checks").isGreaterThan(iterations * 9 / 10);
        }
    }

    /** What was not needed early is there later. */
    @Test
    void whatIsSavedMayBeSpent() {
        Allowance allowance = new Allowance(100, 100);
        assertThat(allowance.of(0, 0)).isEqualTo(2);
        assertThat(allowance.of(0, 50)).isEqualTo(4);
        assertThat(allowance.of(0, 99)).isEqualTo(100);
        assertThat(allowance.of(100, 60)).isZero();
        assertThat(allowance.of(150, 60)).isZero();
    }

    @Test
    void theLastOnesAreKeptForChecks() {
        Allowance allowance = new Allowance(100, 100);
        assertThat(allowance.of(95, 50)).isZero();
        assertThat(allowance.of(95, 59)).isOne();
    }

    /** A run that stays unsure pays whenever it may: often at first, and until the end. */
    @ParameterizedTest
    @CsvSource({"1, 500", "2, 500", "5, 60", "20, 500", "29, 60", "100, 500", "249, 500"})
    void aSmallBudgetIsSpread(int budget, int iterations) {
        Allowance allowance = new Allowance(budget, iterations);
        List<Integer> payments = new ArrayList<>();
        for (int done = 0; done < iterations; done++) {
            int allowed = allowance.of(payments.size(), done);
            assertThat(allowed).isBetween(0, 1);
            payments.addAll(Collections.nCopies(allowed, done + 1));
        }
        assertThat(payments).as("all of it").hasSize(budget).startsWith(1);
        int first = (int) payments.stream().filter(at -> 2 * at <= iterations).count();
        assertThat(first).isBetween(budget / 2, (budget * 3 + 3) / 4);
        // what is kept for checks is earned at the same rate until the end
        int kept = Math.max(1, Math.min(iterations / 10, budget / 2));
        int longest = IntStream.range(1, budget)
                .map(i -> payments.get(i) - payments.get(i - 1))
                .max()
                .orElse(0);
        assertThat(longest).isLessThanOrEqualTo(iterations / kept + 1);
    }

    /** Credit that a sure run did not use is there when it becomes unsure. */
    @Test
    void creditAccumulates() {
        Allowance allowance = new Allowance(20, 100);
        assertThat(allowance.of(0, 49)).isEqualTo(13);
        assertThat(allowance.of(12, 49)).isOne();
        assertThat(allowance.of(13, 49)).isZero();
        assertThat(allowance.of(0, 99)).isEqualTo(20);
        assertThat(allowance.of(20, 99)).isZero();
        assertThat(allowance.of(25, 99)).isZero();
    }
}
