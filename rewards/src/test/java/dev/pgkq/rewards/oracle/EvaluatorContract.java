package dev.pgkq.rewards.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.TestRequests;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of every evaluator. */
abstract class EvaluatorContract {
    static final int TOGETHER = 8;
    static final int LIMIT = 1 << 20;

    /** How the evaluated program, service, class or folder behaves. */
    enum Behaviour {
        /** Gives 100 × index + t as the reward of step t. */
        STEPS,
        /** Gives 100 × index + 0.5 as the return. */
        WHOLE,
        /** Gives one reward too few. */
        ONE_SHORT,
        /** Gives one reward too many. */
        ONE_MORE,
        NOT_A_NUMBER,
        INFINITE,
        /** Gives something that is not an answer. */
        NONSENSE,
        /** Gives more than {@link #LIMIT} bytes. */
        HUGE,
        /** Never answers. */
        SILENT,
        /** Like {@link #STEPS}, but only after {@link #TOGETHER} requests. */
        TOGETHER
    }

    @TempDir
    Path folder;

    private final List<Evaluator> opened = new ArrayList<>();

    /** An evaluator of something with this behaviour. */
    abstract Evaluator open(Behaviour behaviour) throws Exception;

    /** Waits until the one that never answers has been asked. */
    abstract void awaitArrival() throws Exception;

    /** Called after a cancelled evaluation. */
    void assertNothingIsLeft() throws Exception {}

    final EvaluatorSettings settings() {
        return EvaluatorSettings.defaults("run-7", folder.resolve("run"))
                .withLimits(new EvaluatorSettings.Limits(Background.LONG, Background.LONG, LIMIT))
                .withPolling(new EvaluatorSettings.Polling(Duration.ofMillis(5), Duration.ofMillis(50)));
    }

    private Evaluator opened(Behaviour behaviour) throws Exception {
        Evaluator evaluator = open(behaviour);
        opened.add(evaluator);
        return evaluator;
    }

    @AfterEach
    void closeAll() {
        opened.forEach(Evaluator::close);
    }

    @Test
    void theRewardsOfStepsAreThoseOfTheEpisode() throws Exception {
        Evaluator evaluator = opened(Behaviour.STEPS);
        for (int index : new int[] {5, 2}) {
            Reply answer = evaluator.evaluate(TestRequests.ask(index));
            assertThat(answer.grain()).isEqualTo(Grain.STEP);
            assertThat(answer.values()).containsExactly(TestRequests.rewards(index));
        }
    }

    @Test
    void oneNumberForTheWholeIsToldApart() throws Exception {
        Reply answer = opened(Behaviour.WHOLE).evaluate(TestRequests.ask(6));
        assertThat(answer.grain()).isEqualTo(Grain.EPISODE);
        assertThat(answer.values()).containsExactly(600.5);
        assertThat(answer.rewards(TestRequests.LENGTH).values()).containsExactly(0, 0, 0, 600.5);
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_SHORT", "ONE_MORE", "NOT_A_NUMBER", "INFINITE", "NONSENSE", "HUGE"})
    void whatIsNoAnswerIsAFailureThatMayPass(Behaviour behaviour) throws Exception {
        Evaluator evaluator = opened(behaviour);
        assertThatThrownBy(() -> evaluator.evaluate(TestRequests.ask(1)))
                .isInstanceOfSatisfying(
                        EvaluationException.class,
                        e -> assertThat(e.retryable()).isTrue())
                .hasMessageContaining(evaluator.identity());
    }

    @Test
    void anInterruptCancels() throws Exception {
        Background evaluation = Background.evaluate(opened(Behaviour.SILENT), TestRequests.ask(1));
        awaitArrival();
        assertThat(evaluation.task().isDone()).isFalse();

        evaluation.thread().interrupt();

        assertThatThrownBy(evaluation::answer).hasCauseInstanceOf(InterruptedException.class);
        assertNothingIsLeft();
    }

    @Test
    void anInterruptThatCameBeforeCancelsToo() throws Exception {
        Evaluator evaluator = opened(Behaviour.STEPS);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> evaluator.evaluate(TestRequests.ask(1))).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void manyAreEvaluatedAtOnceAndEachGetsItsOwnAnswer() throws Exception {
        Evaluator evaluator = opened(Behaviour.TOGETHER);
        List<Background> evaluations = new ArrayList<>();
        for (int index = 0; index < TOGETHER; index++) {
            evaluations.add(Background.evaluate(evaluator, TestRequests.ask(index)));
        }
        for (int index = 0; index < TOGETHER; index++) {
            assertThat(evaluations.get(index).answer().values()).containsExactly(TestRequests.rewards(index));
        }
    }
}
