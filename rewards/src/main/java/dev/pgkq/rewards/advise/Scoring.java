package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Estimates;
import dev.pgkq.advise.Told;
import dev.pgkq.rewards.ledger.HandOuts.Answered;
import dev.pgkq.rewards.ledger.HandOuts.Standing;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.ledger.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What scores lead to once they are in the ledger: a round that misses none any more is closed, and its model learns from it; a score
 * that no open round waits for is a lesson of its own.
 */
final class Scoring {
    private final Books books;

    Scoring(Books books) {
        this.books = books;
    }

    /**
     * Takes note of scores that are in the ledger. May be repeated.
     *
     * @param round the round they were told for
     */
    void recorded(int round, List<Answered> answers) {
        Map<LedgerKey, Told> late = new LinkedHashMap<>();
        SortedMap<Integer, OpenRound> touched = new TreeMap<>();
        for (Answered answered : answers) {
            LedgerKey key = answered.id().key();
            double[] values = answered.reply().values();
            Optional<OpenRound> asking = books.asking(key);
            if (asking.isPresent()) {
                asking.get().add(key, values);
                touched.put(asking.get().round().number(), asking.get());
            } else {
                late.put(key, new Told(answered.id().episode(), values));
            }
        }
        learnLate(round, late);
        touched.values().forEach(this::closeIfComplete);
    }

    private void learnLate(int round, Map<LedgerKey, Told> late) {
        late.keySet().removeAll(books.store().learned(late.keySet()));
        if (late.isEmpty()) {
            return;
        }
        OpenRound described = books.described(round);
        String judge = described.round().judge();
        Lesson lesson = new Lesson(books.store().lastLesson() + 1, judge, round, false, List.copyOf(late.values()));
        try {
            books.models().learn(judge, described.stored().items(), lesson.scores());
            books.store().add(new AdviserStore.Learned(lesson, Set.copyOf(late.keySet())));
        } catch (RuntimeException | Error e) {
            books.models().discard(judge);
            throw e;
        }
        books.models().learned(judge, lesson.number());
    }

    /** Closes all rounds that miss nothing, in their order. */
    void closeComplete() {
        books.open().forEach(this::closeIfComplete);
    }

    /** Closes a round that misses nothing. */
    void closeIfComplete(OpenRound open) {
        if (open.isComplete()) {
            close(open);
        }
    }

    private void close(OpenRound open) {
        Round round = open.round();
        List<Told> told = open.told();
        Lesson lesson = new Lesson(books.store().lastLesson() + 1, round.judge(), round.number(), true, told);
        try {
            Estimates estimates = books.models()
                    .tell(round.judge(), round.choice(open.stored().items()), told);
            List<LedgerKey> keys =
                    told.stream().map(each -> open.key(each.item())).toList();
            books.store().close(round.number(), estimates, new AdviserStore.Learned(lesson, keys));
        } catch (RuntimeException | Error e) {
            books.models().discard(round.judge());
            throw e;
        }
        books.removeOpen(open);
        books.models().learned(round.judge(), lesson.number());
    }

    /** What is believed about a round: final if it is closed, otherwise what would be if no more scores came. */
    Report report(int number, boolean withEstimates) {
        Optional<OpenRound> open = books.open(number);
        if (open.isEmpty()) {
            books.round(number);
            return new Report(
                    number, true, List.of(), withEstimates ? books.store().estimates(number) : Optional.empty());
        }
        OpenRound round = open.get();
        Optional<Estimates> estimates =
                withEstimates ? Optional.of(books.models().estimate(round)) : Optional.empty();
        return new Report(number, false, round.ids(round.missing()), estimates);
    }

    /** Makes up for what a process that died has left undone: scores are in the ledger before anything follows from them. */
    void recover() {
        for (Round round : books.store().openRounds()) {
            OpenRound open =
                    new OpenRound(books.identity().run(), round, books.store().items(round.number()));
            Map<LedgerKey, Standing> standing = books.ledger().standing(open.keys());
            boolean isLast = round.number() == books.lastRound();
            if (isLast && !open.keys().isEmpty() && standing.values().stream().noneMatch(Scoring::wasHandedOut)) {
                // the answer never left
                books.forget(round.number());
                continue;
            }
            open.addAll(standing);
            books.addOpen(open);
        }
        books.cleanUp();
        closeComplete();
        for (Round round : books.store().roundsWithAbandoned()) {
            recoverLate(round);
        }
    }

    private static boolean wasHandedOut(Standing standing) {
        return standing.state() != State.REQUESTED;
    }

    private void recoverLate(Round round) {
        OpenRound described = books.described(round.number());
        List<LedgerKey> keys =
                Arrays.stream(round.abandoned()).mapToObj(described::key).toList();
        Map<LedgerKey, Standing> standing = books.ledger().standing(keys);
        List<Answered> answers = new ArrayList<>();
        for (int place : round.abandoned()) {
            Optional.ofNullable(standing.get(described.key(place)))
                    .flatMap(Standing::answer)
                    .ifPresent(reply -> answers.add(new Answered(described.evaluation(place), reply)));
        }
        recorded(round.number(), answers);
    }
}
