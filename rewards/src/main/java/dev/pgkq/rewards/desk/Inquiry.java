package dev.pgkq.rewards.desk;

import dev.pgkq.reward.Answer;
import dev.pgkq.rewards.ledger.Claim;
import dev.pgkq.rewards.ledger.LedgerKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Asks for the evaluations of one request that are not known, in their order and as far as the budget allows. So what a budget is
 * spent on does not depend on time, and a run that is killed and resumed buys the same.
 *
 * <p>An evaluator that has not answered in this run is asked for one episode at a time until it does, because the first answer shows
 * whether it can be used and what it costs. Used by one thread.
 */
final class Inquiry {
    private final List<LedgerKey> keys;
    private final Spending spending;
    private final Asker asker;
    private final Map<Integer, Future<Answer>> answers = new TreeMap<>();
    /** Places of the evaluations that may still be asked for. */
    private final List<Integer> open = new ArrayList<>();
    /** Places of the evaluations that no other run is asking for. */
    private final List<Integer> claimed = new ArrayList<>();
    /** Places of the evaluations that were asked for or known. */
    private final Set<Integer> asked = new HashSet<>();

    /** Asks for the evaluations at some places. */
    interface Asker {
        /** Says which evaluations are asked for next. */
        void announce(List<Integer> places);

        /** Asks for an evaluation, or takes its answer if it is known. */
        Future<Answer> ask(int place);
    }

    /**
     * @param keys of the evaluations
     * @param claims of the evaluations
     */
    Inquiry(List<LedgerKey> keys, List<Claim> claims, Spending spending, Asker asker) {
        this.keys = keys;
        this.spending = spending;
        this.asker = asker;
        for (int i = 0; i < claims.size(); i++) {
            switch (claims.get(i)) {
                case Claim.Done done -> ask(i);
                case Claim.Failed failed -> ask(i);
                case Claim.Mine mine -> {
                    open.add(i);
                    claimed.add(i);
                }
                case Claim.Elsewhere elsewhere -> open.add(i);
            }
        }
    }

    /**
     * Asks for one episode at a time until the evaluator has answered, or more than half of the rewards are missing: training cannot
     * use the others then.
     *
     * @param last those to be asked for last: the ones that were given up before, so that a run whose first episode cannot be evaluated
     *     gets on when it is started again
     */
    void askOneByOne(Predicate<LedgerKey> last) {
        List<Integer> order = claimed.stream()
                .sorted(Comparator.comparing(place -> last.test(keys.get(place))))
                .toList();
        int failed = 0;
        for (int place : order) {
            if (spending.hasAnswer() || spending.reserve(List.of(keys.get(place))) == 0) {
                return;
            }
            asker.announce(List.of(place));
            Answer answer = AnswerFutures.collect(List.of(ask(place))).getFirst();
            failed += answer instanceof Answer.Failed ? 1 : 0;
            if (2 * failed > keys.size()) {
                leave(new Answer.Failed("not requested, because the evaluator has failed " + failed + " times"
                        + " and has never answered"));
                return;
            }
        }
    }

    /** Asks for the rest, and waits for all answers. */
    List<Answer> askForTheRest() {
        int allowed = spending.reserve(open.stream().map(keys::get).toList());
        List<Integer> places = List.copyOf(open.subList(0, allowed));
        asker.announce(places);
        places.forEach(this::ask);
        if (!open.isEmpty()) {
            leave(new Answer.NotBought(spending.reached(open.size())));
        }
        return AnswerFutures.collect(answers.values());
    }

    /** The evaluations that are not known and were not asked for. */
    List<LedgerKey> unasked() {
        return IntStream.range(0, keys.size())
                .filter(place -> !asked.contains(place))
                .mapToObj(keys::get)
                .toList();
    }

    private Future<Answer> ask(int place) {
        asked.add(place);
        open.remove(Integer.valueOf(place));
        Future<Answer> answer = asker.ask(place);
        answers.put(place, answer);
        return answer;
    }

    private void leave(Answer answer) {
        open.forEach(place -> answers.put(place, CompletableFuture.completedFuture(answer)));
        open.clear();
    }
}
