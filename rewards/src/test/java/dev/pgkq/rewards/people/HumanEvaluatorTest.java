package dev.pgkq.rewards.people;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HumanEvaluatorTest {
    private static final RaterName ANN = new RaterName("Ann");
    private static final PeopleSettings SETTINGS =
            PeopleSettings.defaults(Rating.SCALE, RatingScale.parse("0..10")).withGrace(Duration.ZERO);

    @TempDir
    private Path folder = Path.of("");

    private static Request request(int index) {
        Episode episode =
                new Episode(3, index, 1, new float[1], new float[1], new float[1], new double[2], Ending.TRUNCATED);
        EnvironmentSpec spec = new EnvironmentSpec(1, new float[] {0}, new float[] {1}, 1, 20);
        return new Request("key" + index, "Point-v0", 3, 1, spec, episode);
    }

    @Test
    void whatPeopleSayIsTheReward() throws Exception {
        try (HumanEvaluator evaluator = new HumanEvaluator(folder, SETTINGS);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(folder).as("nothing is made before the first question").isEmptyDirectory();
            List<Request> requests = List.of(request(0), request(1), request(2));
            evaluator.expect(requests);
            List<Future<Reply>> replies = new ArrayList<>();
            for (Request request : requests) {
                replies.add(threads.submit(() -> evaluator.evaluate(request)));
            }
            try (PeopleQueue server =
                    PeopleQueue.openExisting(folder, InstantSource.system()).orElseThrow()) {
                server.rate(ANN, "key0", 3);
                server.rate(ANN, "key2", 9);
                assertThat(evaluator.waitingFor()).contains("waiting for people: 2 of 3 rated; by Ann");
                server.rate(ANN, "key1", 5);
            }
            assertThat(replies.get(0).get().values()).containsExactly(3);
            assertThat(replies.get(1).get().values()).containsExactly(5);
            assertThat(replies.get(2).get().values()).containsExactly(9);
            assertThat(replies.get(2).get().grain()).isEqualTo(Grain.EPISODE);
            assertThat(replies.get(2).get().note()).contains("rated 9 by Ann");
        }
    }

    @Test
    void aQuestionThatWasAnsweredBeforeIsAnsweredAtOnce() throws Exception {
        try (HumanEvaluator evaluator = new HumanEvaluator(folder, SETTINGS);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            evaluator.expect(List.of(request(0)));
            Future<Reply> reply = threads.submit(() -> evaluator.evaluate(request(0)));
            try (PeopleQueue server =
                    PeopleQueue.openExisting(folder, InstantSource.system()).orElseThrow()) {
                server.rate(ANN, "key0", 7);
            }
            assertThat(reply.get().values()).containsExactly(7);
        }
        try (HumanEvaluator again = new HumanEvaluator(folder, SETTINGS)) {
            assertThat(again.evaluate(request(0)).values()).containsExactly(7);
        }
    }

    @Test
    void closingCancelsAndLeavesTheQuestion() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Reply> reply;
            try (HumanEvaluator evaluator = new HumanEvaluator(folder, SETTINGS)) {
                evaluator.expect(List.of(request(0)));
                reply = threads.submit(() -> evaluator.evaluate(request(0)));
                while (evaluator.waitingCount() == 0) {
                    Thread.sleep(5);
                }
            }
            assertThatThrownBy(reply::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
        }
        try (PeopleQueue queue =
                PeopleQueue.openExisting(folder, InstantSource.system()).orElseThrow()) {
            assertThat(queue.status().items()).isEqualTo(1);
        }
    }

    /** Whenever it is closed, a waiting thread is interrupted instead of waiting forever. */
    @Test
    void closingWhileSomebodyAsksInterruptsHim() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 20; round++) {
                HumanEvaluator evaluator = new HumanEvaluator(folder, SETTINGS);
                Request request = request(round);
                evaluator.expect(List.of(request));
                Future<Reply> reply = threads.submit(() -> evaluator.evaluate(request));
                TimeUnit.MICROSECONDS.sleep(100L * round);
                evaluator.close();
                assertThatThrownBy(() -> reply.get(30, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(InterruptedException.class);
            }
        }
    }

    @Test
    void whatIsClosedIsNotAsked() {
        HumanEvaluator evaluator = new HumanEvaluator(folder, SETTINGS);
        evaluator.expect(List.of(request(0)));
        evaluator.close();
        assertThatThrownBy(() -> evaluator.evaluate(request(0))).isInstanceOf(InterruptedException.class);
    }

    @Test
    void nobodyInTimeIsAFailureAndNotANumber() {
        try (HumanEvaluator evaluator = new HumanEvaluator(folder, SETTINGS.withTimeout(Duration.ofMillis(1)))) {
            assertThatThrownBy(() -> evaluator.evaluate(request(4)))
                    .isInstanceOf(EvaluationException.class)
                    .hasMessageContaining("nobody rated episode 4 of iteration 3 in time");
        }
    }

    @Test
    void anotherScaleIsAnotherOracleAndComparisonsBelongToTheirQueue() {
        PeopleSettings other = PeopleSettings.defaults(Rating.SCALE, RatingScale.parse("0 bad .. 10 good"));
        PeopleSettings compare = PeopleSettings.defaults(Rating.COMPARE, SETTINGS.scale());
        try (HumanEvaluator one = new HumanEvaluator(folder, SETTINGS);
                HumanEvaluator two = new HumanEvaluator(folder, other);
                HumanEvaluator three = new HumanEvaluator(folder.resolve("a"), compare);
                HumanEvaluator again = new HumanEvaluator(folder.resolve("a"), compare);
                HumanEvaluator four = new HumanEvaluator(folder.resolve("b"), compare)) {
            assertThat(one.identity()).isEqualTo("human:scale 0..10").isNotEqualTo(two.identity());
            assertThat(three.identity()).startsWith("human:compare ").isEqualTo(again.identity());
            assertThat(three.identity()).isNotEqualTo(four.identity());
            assertThat(one.grain()).isEqualTo(Optional.of(Grain.EPISODE));
        }
    }
}
