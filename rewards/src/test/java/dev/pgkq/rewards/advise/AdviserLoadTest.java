package dev.pgkq.rewards.advise;

import static dev.pgkq.rewards.advise.TestJudge.batch;
import static dev.pgkq.rewards.advise.TestJudge.names;
import static dev.pgkq.rewards.advise.TestJudge.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.advise.Items;
import dev.pgkq.rewards.advise.DurableAdviser.Options;
import dev.pgkq.rewards.ledger.HandOuts;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.select.Pace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many callers at once, some of which make mistakes. */
class AdviserLoadTest {
    private static final double FAULTS = 0.05;

    @TempDir
    private Path folder = Path.of("");

    /** One score to tell. */
    private record Telling(int round, String id, double value) {}

    @Test
    void aThousandTellsAtOnceLoseNothingAndNeverExceedTheBudget() throws Exception {
        tellAtOnce(53, 20, 1_005);
    }

    @Test
    @Tag("slow")
    void tenThousandTellsAtOnceLoseNothingAndNeverExceedTheBudget() throws Exception {
        tellAtOnce(510, 20, 10_005);
    }

    private void tellAtOnce(int rounds, int each, int budget) throws Exception {
        Options options = Options.defaults().withPace(new Pace.Fixed(each)).withMaxEvaluations(budget);
        Map<LedgerKey, Double> expected = new HashMap<>();
        AtomicInteger faults = new AtomicInteger();
        try (DurableAdviser adviser = DurableAdviser.open(folder, options);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Telling> tellings = Collections.synchronizedList(new ArrayList<>());
            List<Future<?>> asked = new ArrayList<>();
            for (int number = 1; number <= rounds; number++) {
                int batch = number;
                asked.add(threads.submit(() -> tellings.addAll(ask(adviser, batch, each))));
            }
            for (Future<?> future : asked) {
                future.get();
            }
            assertThat(tellings).hasSize(budget);
            assertThat(adviser.status().spent()).isEqualTo(budget);
            tellings.forEach(telling -> expected.put(LedgerKey.ofItem(Options.JUDGE, telling.id()), telling.value()));

            Collections.shuffle(tellings, new Random(1));
            List<Future<?>> told = new ArrayList<>();
            Random random = new Random(2);
            for (Telling telling : tellings) {
                int mistake = random.nextDouble() < FAULTS ? random.nextInt(5) : -1;
                told.add(threads.submit(() -> {
                    if (mistake >= 0) {
                        faults.incrementAndGet();
                        makeAMistake(adviser, telling, mistake);
                    }
                    adviser.tell(telling.round(), Map.of(telling.id(), Score.of(telling.value())), false);
                }));
            }
            for (Future<?> future : told) {
                future.get();
            }
            assertThat(adviser.status().open()).isEmpty();
            assertThat(adviser.status().spent()).isEqualTo(budget);
        }
        assertThat(faults.get()).isBetween(budget / 40, budget / 10);
        assertThat(inLedger(expected)).isEqualTo(expected);
        try (DurableAdviser again = DurableAdviser.open(folder, options)) {
            assertThat(again.status().spent()).isEqualTo(budget);
            assertThat(again.status().lessons()).isEqualTo((budget + each - 1) / each);
        }
    }

    private static List<Telling> ask(DurableAdviser adviser, int batch, int each) {
        Items items = batch(batch, each + 5);
        List<Telling> tellings = new ArrayList<>();
        Advice advice;
        try {
            advice = adviser.ask(Question.of(items).withIds(names(batch, each + 5)));
        } catch (AdviceRefused e) {
            assertThat(e.reason()).isEqualTo(AdviceRefused.Reason.BUDGET);
            return tellings;
        }
        for (int i = 0; i < advice.indices().length; i++) {
            tellings.add(new Telling(advice.round(), advice.ids().get(i), score(items, advice.indices()[i])));
        }
        return tellings;
    }

    private static void makeAMistake(DurableAdviser adviser, Telling telling, int mistake) {
        switch (mistake) {
            case 0 -> adviser.tell(telling.round(), Map.of(telling.id(), Score.of(telling.value())), false);
            case 1 ->
                refused(() ->
                        adviser.tell(telling.round(), Map.of(telling.id() + "?", Score.of(telling.value())), false));
            case 2 -> refused(() -> adviser.tell(telling.round(), Map.of(telling.id(), Score.of(Double.NaN)), false));
            case 3 -> refused(() -> adviser.tell(1_000_000, Map.of(telling.id(), Score.of(telling.value())), false));
            default -> {
                adviser.tell(telling.round(), Map.of(telling.id(), Score.of(telling.value())), false);
                refused(() ->
                        adviser.tell(telling.round(), Map.of(telling.id(), Score.of(telling.value() + 1)), false));
            }
        }
    }

    private static void refused(Runnable call) {
        try {
            call.run();
        } catch (AdviceRefused e) {
            return;
        }
        throw new AssertionError("a mistake was accepted");
    }

    private Map<LedgerKey, Double> inLedger(Map<LedgerKey, Double> expected) {
        Map<LedgerKey, Double> found = new HashMap<>();
        try (Ledger ledger = Ledger.open(folder.toString())) {
            Map<LedgerKey, HandOuts.Standing> standing = ledger.handOuts().standing(expected.keySet());
            standing.forEach((key, each) -> each.answer().ifPresent(reply -> found.put(key, reply.values()[0])));
        }
        return found;
    }

    /** Every number of calls is counted by hand: those handed out, without those that were given up for free. */
    @Test
    void whateverCallersDoAtOnceTheBudgetHoldsAndTheLedgerAgrees() throws Exception {
        int budget = 150;
        Options options = Options.defaults().withPace(new Pace.Fixed(3)).withMaxEvaluations(budget);
        AtomicLong most = new AtomicLong();
        Map<String, Double> told = new ConcurrentHashMap<>();
        long spent;
        try (DurableAdviser adviser = DurableAdviser.open(folder, options);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> callers = new ArrayList<>();
            for (int caller = 0; caller < 12; caller++) {
                Random random = new Random(caller);
                callers.add(threads.submit(() -> {
                    for (int i = 0; i < 25; i++) {
                        act(adviser, random, told);
                        most.accumulateAndGet(adviser.status().spent(), Math::max);
                    }
                }));
            }
            for (Future<?> caller : callers) {
                caller.get();
            }
            spent = adviser.status().spent();
        }
        assertThat(most.get()).isLessThanOrEqualTo(budget).isGreaterThan(budget / 2);
        try (DurableAdviser again = DurableAdviser.open(folder, options)) {
            assertThat(again.status().spent()).isEqualTo(spent);
        }
        Map<LedgerKey, Double> expected = new HashMap<>();
        told.forEach((id, value) -> expected.put(LedgerKey.ofItem(Options.JUDGE, id), value));
        assertThat(inLedger(expected)).isEqualTo(expected);
    }

    private static void act(DurableAdviser adviser, Random random, Map<String, Double> told) {
        int batch = random.nextInt(30);
        Items items = batch(batch, 12);
        List<String> names = names(batch, 12);
        try {
            Advice advice = adviser.ask(Question.of(items).withIds(names));
            List<String> missing = advice.missing();
            if (missing.isEmpty()) {
                return;
            }
            String id = missing.get(random.nextInt(missing.size()));
            switch (random.nextInt(4)) {
                case 0 -> adviser.abandon(advice.round(), List.of(id), random.nextBoolean(), random.nextBoolean());
                case 1 -> {
                    // dead
                }
                default -> {
                    for (String each : missing) {
                        double value = score(items, names.indexOf(each));
                        adviser.tell(advice.round(), Map.of(each, Score.of(value)), false);
                        told.put(each, value);
                    }
                }
            }
        } catch (AdviceRefused e) {
            // the budget, or somebody else was faster
        }
    }
}
