package dev.pgkq.rewards.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.rewards.request.TestRequests;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RetryingEvaluatorTest {
    /** Time that passes only while sleeping. */
    private static final class SleptTime implements Time {
        final List<Duration> sleeps = new ArrayList<>();
        private long now = Long.MAX_VALUE - 1; // overflows at once, which is allowed

        @Override
        public synchronized long nanos() {
            return now;
        }

        @Override
        public synchronized void sleep(Duration duration) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            sleeps.add(duration);
            now += duration.toNanos();
        }
    }

    /** Fails as specified, then answers with the number of the attempt. */
    private static final class Moody implements Evaluator {
        final Queue<EvaluationException> failures = new ArrayDeque<>();
        final List<Request> asked = new ArrayList<>();
        boolean closed;

        Moody(EvaluationException... failures) {
            this.failures.addAll(List.of(failures));
        }

        @Override
        public String identity() {
            return "moody:";
        }

        @Override
        public Reply evaluate(Request request) throws EvaluationException {
            asked.add(request);
            EvaluationException failure = failures.poll();
            if (failure != null) {
                throw failure;
            }
            return Reply.ofEpisode(request.attempt());
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private interface Evaluation {
        Reply evaluate(Request request) throws EvaluationException, InterruptedException;
    }

    private static Evaluator evaluator(Evaluation evaluation) {
        return new Evaluator() {
            @Override
            public String identity() {
                return "test:";
            }

            @Override
            public Reply evaluate(Request request) throws EvaluationException, InterruptedException {
                return evaluation.evaluate(request);
            }

            @Override
            public void close() {}
        };
    }

    private final SleptTime time = new SleptTime();

    private static double half() {
        return 0.5;
    }

    private static RetryPolicy patience(int attempts) {
        return new RetryPolicy(
                attempts,
                Optional.empty(),
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                Duration.ofMinutes(5),
                Double.POSITIVE_INFINITY,
                8);
    }

    private static EvaluationException[] busy(int times) {
        EvaluationException[] failures = new EvaluationException[times];
        Arrays.setAll(failures, i -> EvaluationException.temporary("busy " + (i + 1)));
        return failures;
    }

    /** Half of 2 s, 4 s, 8 s, and then of 10 s, which is the longest. */
    @Test
    void pausesDoubleUpToTheLongest() throws Exception {
        Moody moody = new Moody(busy(5));
        RetryingEvaluator evaluator =
                new RetryingEvaluator(moody, patience(6), AttemptListener.NONE, time, RetryingEvaluatorTest::half);
        assertThat(evaluator.evaluate(TestRequests.ask(1)).total()).isEqualTo(6);
        assertThat(time.sleeps)
                .containsExactly(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5));
        assertThat(moody.asked).extracting(Request::attempt).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(moody.asked).extracting(Request::idempotencyKey).containsOnly("key-1");
    }

    /** Full jitter: the fourth pause is uniform on [0, 10 s); its mean of 2,000 draws is within four standard errors of 5 s. */
    @Test
    void pausesAreUniformBelowTheirBound() {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        double sum = 0;
        double most = 0;
        for (int i = 0; i < 2000; i++) {
            double pause = patience(9).pause(4, random.nextDouble()).toNanos() / 1e9;
            assertThat(pause).isBetween(0.0, 10.0);
            sum += pause;
            most = Math.max(most, pause);
        }
        assertThat(sum / 2000).isBetween(5 - 4 * 10 / Math.sqrt(12 * 2000), 5 + 4 * 10 / Math.sqrt(12 * 2000));
        assertThat(most).isGreaterThan(9.9);
        assertThat(patience(9).pause(2000, 0.5)).as("no overflow").isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void theSameRandomNumbersGiveTheSamePauses() throws Exception {
        List<List<Duration>> runs = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            SleptTime own = new SleptTime();
            RandomStream random = RandomStream.of(7, Purpose.CHECK);
            new RetryingEvaluator(new Moody(busy(4)), patience(5), AttemptListener.NONE, own, random::nextDouble)
                    .evaluate(TestRequests.ask(1));
            runs.add(own.sleeps);
        }
        assertThat(runs.getFirst()).hasSize(4).doesNotHaveDuplicates().isEqualTo(runs.getLast());
    }

    @Test
    void whoAsksForTimeGetsItAndALittleMore() throws Exception {
        Moody moody = new Moody(EvaluationException.temporary("busy", Duration.ofSeconds(30)));
        new RetryingEvaluator(moody, patience(2), AttemptListener.NONE, time, RetryingEvaluatorTest::half)
                .evaluate(TestRequests.ask(1));
        assertThat(time.sleeps).containsExactly(Duration.ofSeconds(31));
    }

    @Test
    void whoAsksForTooMuchTimeIsNotWaitedFor() {
        Moody moody = new Moody(EvaluationException.temporary("back in a week", Duration.ofDays(7)));
        assertThatThrownBy(() -> new RetryingEvaluator(
                                moody, patience(9), AttemptListener.NONE, time, RetryingEvaluatorTest::half)
                        .evaluate(TestRequests.ask(1)))
                .hasMessage("back in a week");
        assertThat(time.sleeps).isEmpty();
    }

    @Test
    void afterTheLastAttemptItGivesUp() {
        Moody moody = new Moody(busy(9));
        EvaluationException failure = catchThrowableOfType(
                EvaluationException.class,
                () -> new RetryingEvaluator(moody, patience(3), AttemptListener.NONE, time, RetryingEvaluatorTest::half)
                        .evaluate(TestRequests.ask(1)));
        assertThat(failure).hasMessage("gave up after 3 attempts; last error: busy 3");
        assertThat(failure.retryable()).isFalse();
        assertThat(moody.asked).hasSize(3);
        assertThat(time.sleeps).hasSize(2);
    }

    @Test
    void whatWillNotPassIsNotTriedAgain() {
        Moody moody = new Moody(EvaluationException.permanent("no such page"));
        assertThatThrownBy(() -> new RetryingEvaluator(
                                moody, patience(3), AttemptListener.NONE, time, RetryingEvaluatorTest::half)
                        .evaluate(TestRequests.ask(1)))
                .hasMessage("no such page");
        assertThat(moody.asked).hasSize(1);
    }

    @Test
    void attemptsAreCountedOnFromTheRequest() throws Exception {
        Moody moody = new Moody(busy(2));
        new RetryingEvaluator(moody, patience(3), AttemptListener.NONE, time, RetryingEvaluatorTest::half)
                .evaluate(TestRequests.ask(1).withAttempt(5));
        assertThat(moody.asked).extracting(Request::attempt).containsExactly(5, 6, 7);
    }

    @Test
    void aListenerMayPreventFurtherAttempts() {
        Moody moody = new Moody(busy(2));
        AttemptListener listener = new AttemptListener() {
            @Override
            public Optional<Duration> onFailure(
                    Request request, EvaluationException failure, Optional<Duration> nextIn) {
                return Optional.empty();
            }
        };
        RetryingEvaluator evaluator =
                new RetryingEvaluator(moody, patience(3), listener, time, RetryingEvaluatorTest::half);
        assertThatThrownBy(() -> evaluator.evaluate(TestRequests.ask(1))).hasMessage("busy 1");
        assertThat(moody.asked).hasSize(1);
    }

    @Test
    void everyAttemptIsReportedBeforeItIsMadeAndEveryFailureAfter() throws Exception {
        List<String> story = new ArrayList<>();
        Moody moody = new Moody(busy(2));
        AttemptListener listener = new AttemptListener() {
            @Override
            public void onAttempt(Request request) {
                story.add("attempt " + request.attempt() + " after " + moody.asked.size());
            }

            @Override
            public Optional<Duration> onFailure(
                    Request request, EvaluationException failure, Optional<Duration> nextIn) {
                story.add("failure " + request.attempt() + " " + failure.getMessage() + " " + nextIn);
                return nextIn;
            }
        };
        new RetryingEvaluator(moody, patience(3), listener, time, RetryingEvaluatorTest::half)
                .evaluate(TestRequests.ask(1));
        moody.failures.add(EvaluationException.permanent("bad"));
        assertThatThrownBy(() -> new RetryingEvaluator(moody, patience(3), listener, time, RetryingEvaluatorTest::half)
                .evaluate(TestRequests.ask(2)));
        assertThat(story)
                .containsExactly(
                        "attempt 1 after 0",
                        "failure 1 busy 1 Optional[PT1S]",
                        "attempt 2 after 1",
                        "failure 2 busy 2 Optional[PT2S]",
                        "attempt 3 after 2",
                        "attempt 1 after 3",
                        "failure 1 bad Optional.empty");
    }

    @Test
    void anAttemptThatCannotBeRecordedIsNotMade() {
        Moody moody = new Moody();
        AttemptListener listener = new AttemptListener() {
            @Override
            public void onAttempt(Request request) {
                throw new IllegalStateException("disk full");
            }
        };
        RetryPolicy one = new RetryPolicy(
                3, Optional.empty(), Duration.ZERO, Duration.ZERO, Duration.ZERO, Double.POSITIVE_INFINITY, 1);
        RetryingEvaluator evaluator = new RetryingEvaluator(moody, one, listener, time, RetryingEvaluatorTest::half);
        for (int i = 0; i < 2; i++) { // the only slot is free again
            assertThatThrownBy(() -> evaluator.evaluate(TestRequests.ask(1))).hasMessage("disk full");
        }
        assertThat(moody.asked).isEmpty();
    }

    /** 20 per minute: one every 3 s with any number of threads, and no burst after a pause. */
    @Test
    void attemptsBeginEvenlySpaced() throws Exception {
        RetryPolicy slow = new RetryPolicy(1, Optional.empty(), Duration.ZERO, Duration.ZERO, Duration.ZERO, 20, 8);
        List<Long> begun = new ArrayList<>();
        long start = time.nanos();
        RetryingEvaluator evaluator = new RetryingEvaluator(
                evaluator(request -> {
                    begun.add(time.nanos() - start);
                    return Reply.ofEpisode(0);
                }),
                slow,
                AttemptListener.NONE,
                time,
                RetryingEvaluatorTest::half);
        for (int i = 0; i < 3; i++) {
            evaluator.evaluate(TestRequests.ask(i));
        }
        time.sleep(Duration.ofMinutes(1));
        evaluator.evaluate(TestRequests.ask(3));
        evaluator.evaluate(TestRequests.ask(4));
        assertThat(begun.stream().map(nanos -> nanos / 1_000_000_000)).containsExactly(0L, 3L, 6L, 66L, 69L);
    }

    @Test
    void turnsAreSharedByAllThreads() throws Exception {
        Time standing = new Time() {
            @Override
            public long nanos() {
                return 0;
            }

            @Override
            public synchronized void sleep(Duration duration) {
                time.sleeps.add(duration);
            }
        };
        RateLimit rate = new RateLimit(60, standing);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    rate.take();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(time.sleeps.stream().map(Duration::toSeconds)).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }

    @Test
    void noMoreThanSomeAreUnderWayAtOnce() throws Exception {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CyclicBarrier full = new CyclicBarrier(3);
        RetryPolicy three = new RetryPolicy(
                1, Optional.empty(), Duration.ZERO, Duration.ZERO, Duration.ZERO, Double.POSITIVE_INFINITY, 3);
        RetryingEvaluator evaluator = new RetryingEvaluator(
                evaluator(request -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    try {
                        full.await(); // blocks forever unless three run at once
                    } catch (BrokenBarrierException e) {
                        throw new IllegalStateException(e);
                    }
                    now.decrementAndGet();
                    return Reply.ofEpisode(0);
                }),
                three,
                AttemptListener.NONE);
        List<Background> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            all.add(Background.evaluate(evaluator, TestRequests.ask(i)));
        }
        for (Background each : all) {
            each.answer();
        }
        assertThat(most).hasValue(3);
    }

    /** With one slot, the second gets its answer while the first pauses. */
    @Test
    void whoPausesTakesUpNoPlace() throws Exception {
        CountDownLatch pausing = new CountDownLatch(1);
        Semaphore goOn = new Semaphore(0);
        Time held = new Time() {
            @Override
            public long nanos() {
                return 0;
            }

            @Override
            public void sleep(Duration duration) throws InterruptedException {
                pausing.countDown();
                goOn.acquire();
            }
        };
        RetryPolicy one = new RetryPolicy(
                2,
                Optional.empty(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ZERO,
                Double.POSITIVE_INFINITY,
                1);
        RetryingEvaluator evaluator =
                new RetryingEvaluator(new Moody(busy(1)), one, AttemptListener.NONE, held, RetryingEvaluatorTest::half);
        Background first = Background.evaluate(evaluator, TestRequests.ask(1));
        pausing.await();
        assertThat(Background.evaluate(evaluator, TestRequests.ask(2)).answer().total())
                .isEqualTo(1);
        goOn.release();
        assertThat(first.answer().total()).isEqualTo(2);
    }

    private static RetryPolicy limited(Duration timeout) {
        return new RetryPolicy(
                2, Optional.of(timeout), Duration.ZERO, Duration.ZERO, Duration.ZERO, Double.POSITIVE_INFINITY, 1);
    }

    @Test
    void anAttemptThatTakesTooLongIsCancelledAndTriedAgain() throws Exception {
        AtomicBoolean cancelled = new AtomicBoolean();
        RetryingEvaluator evaluator = new RetryingEvaluator(
                evaluator(request -> {
                    if (request.attempt() > 1) {
                        return Reply.ofEpisode(7);
                    }
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        cancelled.set(true);
                    }
                    throw new IllegalStateException();
                }),
                limited(Duration.ofSeconds(1)),
                AttemptListener.NONE);
        assertThat(evaluator.evaluate(TestRequests.ask(1)).total()).isEqualTo(7);
        assertThat(cancelled).isTrue();
    }

    @Test
    void failuresAndBugsPassThroughATimeLimit() {
        RetryingEvaluator failing = new RetryingEvaluator(
                new Moody(EvaluationException.permanent("no")), limited(Background.LONG), AttemptListener.NONE);
        assertThatThrownBy(() -> failing.evaluate(TestRequests.ask(1))).hasMessage("no");
        RetryingEvaluator broken = new RetryingEvaluator(
                evaluator(request -> {
                    throw new IllegalStateException("bug");
                }),
                limited(Background.LONG),
                AttemptListener.NONE);
        assertThatThrownBy(() -> broken.evaluate(TestRequests.ask(1))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anInterruptCancelsTheAttemptInItsOtherThread() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        AtomicBoolean cancelled = new AtomicBoolean();
        RetryingEvaluator evaluator = new RetryingEvaluator(
                evaluator(request -> {
                    arrived.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        cancelled.set(true);
                    }
                    throw new IllegalStateException();
                }),
                limited(Background.LONG),
                AttemptListener.NONE);
        Background evaluation = Background.evaluate(evaluator, TestRequests.ask(1));
        arrived.await();
        evaluation.thread().interrupt();
        assertThatThrownBy(evaluation::answer).hasCauseInstanceOf(InterruptedException.class);
        assertThat(cancelled).isTrue();
    }

    @Test
    void anInterruptEndsAPause() {
        RetryingEvaluator evaluator = new RetryingEvaluator(
                evaluator(request -> {
                    Thread.currentThread().interrupt();
                    throw EvaluationException.temporary("busy");
                }),
                patience(5),
                AttemptListener.NONE);
        assertThatThrownBy(() -> evaluator.evaluate(TestRequests.ask(1))).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void itStandsForWhatItAsks() {
        Moody moody = new Moody();
        RetryingEvaluator evaluator = new RetryingEvaluator(moody, RetryPolicy.defaults(), AttemptListener.NONE);
        assertThat(evaluator.identity()).isEqualTo("moody:");
        evaluator.close();
        assertThat(moody.closed).isTrue();
    }

    @Test
    void anAnswerWithTheWrongNumberOfRewardsIsRetried() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        List<Reply> told = new ArrayList<>();
        Request request = TestRequests.ask(1);
        Reply right = Reply.ofSteps(new double[request.episode().length()]);
        Evaluator careless = evaluator(
                each -> asked.getAndIncrement() == 0 ? Reply.ofSteps(new double[right.values().length + 1]) : right);
        AttemptListener listener = new AttemptListener() {
            @Override
            public void onAnswer(Request answered, Reply answer) {
                told.add(answer);
            }
        };
        assertThat(new RetryingEvaluator(careless, patience(2), listener, time, RetryingEvaluatorTest::half)
                        .evaluate(request))
                .isEqualTo(right);
        assertThat(told).containsExactly(right);
        assertThat(time.sleeps).hasSize(1);
    }
}
