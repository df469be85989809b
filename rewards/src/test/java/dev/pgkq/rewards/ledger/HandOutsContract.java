package dev.pgkq.rewards.ledger;

import static dev.pgkq.rewards.ledger.TestEvaluations.answer;
import static dev.pgkq.rewards.ledger.TestEvaluations.id;
import static dev.pgkq.rewards.ledger.TestEvaluations.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.rewards.ledger.HandOuts.Answered;
import dev.pgkq.rewards.ledger.HandOuts.Outcome;
import dev.pgkq.rewards.ledger.HandOuts.Standing;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.text.UserException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of a ledger from which evaluations are handed out, for every kind of database. */
abstract class HandOutsContract {
    private static final String ELSEWHERE = "elsewhere";

    /** Opens the ledger of this test once more, with its own owner. */
    abstract SqlLedger open();

    private static List<EvaluationId> ids(int... numbers) {
        return Arrays.stream(numbers).mapToObj(TestEvaluations::id).toList();
    }

    private static List<LedgerKey> keys(int... numbers) {
        return Arrays.stream(numbers).mapToObj(TestEvaluations::key).toList();
    }

    private static Outcome record(Ledger ledger, Answered... answers) {
        return ledger.handOuts().answer(List.of(List.of(answers)), ELSEWHERE).getFirst();
    }

    private static Answered right(int number) {
        return new Answered(id(number), answer(number));
    }

    private static Answered other(int number) {
        return new Answered(id(number), Reply.ofEpisode(1e7));
    }

    private static Standing standing(Ledger ledger, int number) {
        return Objects.requireNonNull(standingIfAny(ledger, number));
    }

    private static @Nullable Standing standingIfAny(Ledger ledger, int number) {
        return ledger.handOuts().standing(keys(number)).get(key(number));
    }

    /** What the runs have to pay for according to the report, by run. */
    private static Map<String, Integer> paid(Ledger ledger) {
        LedgerReport report = new LedgerReport();
        ledger.read(report);
        Map<String, Integer> paid = new HashMap<>();
        report.byRun().forEach((run, totals) -> paid.put(run, totals.answers() + totals.unanswered()));
        return paid;
    }

    private static double price(int number) {
        return answer(number).cost().orElseThrow();
    }

    @Test
    void manyAreHandedOutAtOnceAndEachCountsAsACall() {
        Ledger ledger = open();

        assertThat(ledger.handOuts().handOut(ids(1, 2, 3)))
                .containsExactly(new Claim.Mine(0, 0), new Claim.Mine(0, 0), new Claim.Mine(0, 0));

        assertThat(ledger.handOuts().standing(keys(1, 2, 3, 4)).values())
                .containsExactly(
                        new Standing(State.RUNNING, 1, 0, Optional.empty()),
                        new Standing(State.RUNNING, 1, 0, Optional.empty()),
                        new Standing(State.RUNNING, 1, 0, Optional.empty()));
        assertThat(paid(ledger)).containsExactly(Map.entry("run", 3));
    }

    @Test
    void standingIsFoundAmongMoreKeysThanAQueryTakes() {
        Ledger ledger = open();
        ledger.handOuts().handOut(ids(7, 1003));

        assertThat(ledger.handOuts()
                        .standing(IntStream.range(0, 1100)
                                .mapToObj(TestEvaluations::key)
                                .toList()))
                .containsOnlyKeys(key(7), key(1003));
    }

    @Test
    void anAnswerTakesThePlaceOfItsCall() {
        Ledger ledger = open();
        ledger.handOuts().handOut(ids(1, 2));

        assertThat(record(ledger, right(1))).isEqualTo(new Outcome.Recorded(1, List.of(price(1))));
        assertThat(record(ledger, right(1), right(2))).isEqualTo(new Outcome.Recorded(1, List.of(price(2))));

        assertThat(standing(ledger, 1)).isEqualTo(new Standing(State.DONE, 1, 0, Optional.of(answer(1))));
        assertThat(open().claim(id(2))).isEqualTo(new Claim.Done(answer(2)));
        assertThat(paid(ledger)).containsExactly(Map.entry("run", 2));
    }

    @Test
    void whoHandsOutTheSameAgainPaysAgainAndTheFirstCallIsInDoubt() {
        Ledger ledger = open();
        ledger.handOuts().handOut(ids(1));

        assertThat(ledger.handOuts().handOut(ids(1))).containsExactly(new Claim.Mine(1, 1));

        assertThat(standing(ledger, 1)).isEqualTo(new Standing(State.RUNNING, 2, 1, Optional.empty()));
        record(ledger, right(1));
        assertThat(paid(ledger)).containsExactly(Map.entry("run", 2));
    }

    @Test
    void aCallOfAClosedLedgerIsInDoubtWhenItIsHandedOutAgain() {
        try (Ledger before = open()) {
            before.handOuts().handOut(ids(1));
        }
        Ledger ledger = open();

        assertThat(ledger.handOuts().handOut(ids(1))).containsExactly(new Claim.Mine(1, 1));

        assertThat(paid(ledger)).containsExactly(Map.entry("run", 2));
    }

    @Test
    void aClosedLedgersCallMayStillBeAnswered() {
        try (Ledger before = open()) {
            before.handOuts().handOut(ids(1));
        }
        Ledger ledger = open();

        assertThat(record(ledger, right(1))).isEqualTo(new Outcome.Recorded(1, List.of(price(1))));

        assertThat(paid(ledger)).containsExactly(Map.entry("run", 1));
    }

    @Test
    void nothingIsHandedOutIfAnotherHasClaimedOneOfThem() {
        Ledger other = open();
        other.claim(id(2));
        Ledger ledger = open();

        assertThatThrownBy(() -> ledger.handOuts().handOut(ids(1, 2)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is evaluating the same item, " + key(2));

        assertThat(standingIfAny(ledger, 1)).isNull();
    }

    @Test
    void whatHasAnAnswerIsNotHandedOut() {
        Ledger ledger = open();
        record(ledger, right(1));

        assertThat(ledger.handOuts().handOut(ids(1, 2)))
                .containsExactly(new Claim.Done(answer(1)), new Claim.Mine(0, 0));
    }

    @Test
    void answersWithAConflictAreNotRecordedAndThoseBesideThemAre() {
        Ledger ledger = open();
        ledger.handOuts().handOut(ids(1, 2, 3));
        record(ledger, right(1));

        assertThat(ledger.handOuts()
                        .answer(List.of(List.of(right(2), other(1)), List.of(right(3)), List.of(other(3))), ELSEWHERE))
                .containsExactly(
                        new Outcome.Conflict(key(1), answer(1)),
                        new Outcome.Recorded(1, List.of(price(3))),
                        new Outcome.Conflict(key(3), answer(3)));

        assertThat(standing(ledger, 2).state()).isEqualTo(State.RUNNING);
        assertThat(standing(ledger, 3).answer()).hasValue(answer(3));
    }

    @Test
    void oneEvaluationCannotHaveTwoAnswersAtOnce() {
        Ledger ledger = open();

        assertThat(record(ledger, right(1), other(1))).isEqualTo(new Outcome.Conflict(key(1), answer(1)));
        assertThat(record(ledger, right(1), right(1)))
                .as("obtained elsewhere, so that no call has cost anything")
                .isEqualTo(new Outcome.Recorded(1, List.of()));
    }

    @Test
    void anAnswerIsTheSameAtAnotherPriceAndWithASignOfZero() {
        Ledger ledger = open();
        record(ledger, new Answered(id(5), Reply.ofEpisode(0.0, 3)));

        assertThat(record(ledger, new Answered(id(5), Reply.ofEpisode(-0.0, 4))))
                .isEqualTo(new Outcome.Recorded(0, List.of()));

        assertThat(standing(ledger, 5).answer()).hasValue(Reply.ofEpisode(0.0, 3));
    }

    @Test
    void anAnswerWithoutACallBelongsToAnotherRun() {
        Ledger ledger = open();

        record(ledger, right(1));

        assertThat(paid(ledger)).containsExactly(Map.entry(ELSEWHERE, 1));
    }

    @Test
    void whatWasGivenUpCountsOnceEvenIfItIsAnsweredLate() {
        Ledger ledger = open();
        ledger.handOuts().handOut(ids(1));

        assertThat(ledger.handOuts().giveUp(keys(1), "the worker is gone", false))
                .isZero();
        assertThat(standing(ledger, 1)).isEqualTo(new Standing(State.FAILED, 1, 0, Optional.empty()));
        record(ledger, right(1));

        assertThat(standing(ledger, 1)).isEqualTo(new Standing(State.DONE, 1, 0, Optional.of(answer(1))));
        assertThat(paid(ledger)).containsExactly(Map.entry("run", 1));
    }

    @Test
    void whatWasGivenUpForFreeDoesNotCountEvenIfItIsAnsweredLate() {
        Ledger ledger = open();
        ledger.handOuts().handOut(ids(1, 2));

        assertThat(ledger.handOuts().giveUp(keys(1, 2), "never started", true)).isEqualTo(2);
        record(ledger, right(1));

        assertThat(paid(ledger)).containsExactly(Map.entry("run", 0), Map.entry(ELSEWHERE, 1));
    }

    @Test
    void whatWasGivenUpCanBeHandedOutAgain() {
        Ledger ledger = open();
        ledger.handOuts().handOut(ids(1, 2));
        ledger.handOuts().giveUp(keys(1), "the worker is gone", false);
        ledger.handOuts().giveUp(keys(2), "never started", true);

        assertThat(ledger.handOuts().handOut(ids(1, 2))).allMatch(Claim.Mine.class::isInstance);

        assertThat(standing(ledger, 1).calls()).isEqualTo(2);
        assertThat(standing(ledger, 2).calls()).isEqualTo(1);
    }

    @Test
    void givingUpChangesNothingThatIsAnsweredOrClaimedByOthers() {
        Ledger other = open();
        other.handOuts().handOut(ids(2));
        Ledger ledger = open();
        ledger.handOuts().handOut(ids(1));
        record(ledger, right(1));

        assertThat(ledger.handOuts().giveUp(keys(1, 2, 3), "whatever", true)).isZero();

        assertThat(standing(ledger, 1).state()).isEqualTo(State.DONE);
        assertThat(standing(ledger, 2)).isEqualTo(new Standing(State.RUNNING, 1, 0, Optional.empty()));
        assertThat(standingIfAny(ledger, 3)).isNull();
    }

    /** Against a count kept by hand: one more for each hand-out, one less for each that is given up for free. */
    @Test
    void theNumberOfCallsIsThatOfHandOutsWithoutFreeOnesWhateverHappens() {
        Random random = new Random(11);
        Ledger ledger = open();
        int expected = 0;
        Set<Integer> out = new HashSet<>();
        Set<Integer> done = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            int number = random.nextInt(12) + 12 * (i / 60);
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    Claim claim = ledger.handOuts().handOut(ids(number)).getFirst();
                    assertThat(claim instanceof Claim.Done).isEqualTo(done.contains(number));
                    if (claim instanceof Claim.Mine) {
                        expected++;
                        out.add(number);
                    }
                }
                case 2 -> {
                    ledger.handOuts().giveUp(keys(number), "given up", true);
                    expected -= out.remove(number) ? 1 : 0;
                }
                case 3 -> {
                    ledger.handOuts().giveUp(keys(number), "given up", false);
                    out.remove(number);
                }
                default -> {
                    record(ledger, right(number));
                    done.add(number);
                    out.remove(number);
                }
            }
            assertThat(paid(ledger).getOrDefault("run", 0)).isEqualTo(expected);
        }
        List<LedgerEntry> entries = new ArrayList<>();
        ledger.read(entries::add);
        assertThat(entries.stream().filter(entry -> entry.state() == State.DONE))
                .hasSize(done.size());
    }
}
