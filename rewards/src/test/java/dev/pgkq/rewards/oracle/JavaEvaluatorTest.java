package dev.pgkq.rewards.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.EpisodeReward;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.TestRequests;
import dev.pgkq.text.UserException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class JavaEvaluatorTest extends EvaluatorContract {
    @Override
    Evaluator open(Behaviour behaviour) {
        Class<?> type = switch (behaviour) {
            case STEPS -> Steps.class;
            case WHOLE -> Whole.class;
            case ONE_SHORT -> OneShort.class;
            case ONE_MORE -> OneMore.class;
            case NOT_A_NUMBER -> NotANumber.class;
            case INFINITE -> Infinite.class;
            case NONSENSE -> Nonsense.class;
            case HUGE -> Huge.class;
            case SILENT -> Silent.class;
            case TOGETHER -> Together.class;
        };
        return open(type);
    }

    private Evaluator open(Class<?> type) {
        return Evaluators.open("java:" + type.getName(), settings());
    }

    @Override
    void awaitArrival() throws InterruptedException {
        assertThat(Silent.ARRIVED.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void itsContentsAreThoseOfTheClass() {
        try (Evaluator steps = open(Steps.class);
                Evaluator whole = open(Whole.class);
                Evaluator object = Evaluators.of("mine", new Whole())) {
            assertThat(steps.contents()).containsOnlyKeys(Steps.class.getName());
            assertThat(steps.contents().values())
                    .doesNotContainAnyElementsOf(whole.contents().values());
            assertThat(object.contents()).isEmpty();
        }
    }

    public static class Steps implements EpisodeReward.OfSteps {
        @Override
        public double[] rewards(Episode episode, EnvironmentSpec spec) throws Exception {
            assertThat(spec).isSameAs(TestRequests.SPEC);
            return TestRequests.rewards(episode.index());
        }
    }

    public static final class Whole implements EpisodeReward.OfWhole {
        @Override
        public double reward(Episode episode, EnvironmentSpec spec) {
            return 100 * episode.index() + 0.5;
        }
    }

    public static final class OneShort implements EpisodeReward.OfSteps {
        @Override
        public double[] rewards(Episode episode, EnvironmentSpec spec) {
            return new double[episode.length() - 1];
        }
    }

    public static final class OneMore implements EpisodeReward.OfSteps {
        @Override
        public double[] rewards(Episode episode, EnvironmentSpec spec) {
            return new double[episode.length() + 1];
        }
    }

    public static final class NotANumber implements EpisodeReward.OfSteps {
        @Override
        public double[] rewards(Episode episode, EnvironmentSpec spec) {
            return new double[] {0, 0, Double.NaN, 0};
        }
    }

    public static final class Infinite implements EpisodeReward.OfWhole {
        @Override
        public double reward(Episode episode, EnvironmentSpec spec) {
            return Double.POSITIVE_INFINITY;
        }
    }

    public static final class Nonsense implements EpisodeReward.OfSteps {
        @Override
        @SuppressWarnings("NullAway") // the null is intended
        public double[] rewards(Episode episode, EnvironmentSpec spec) {
            return null;
        }
    }

    public static final class Huge implements EpisodeReward.OfSteps {
        @Override
        public double[] rewards(Episode episode, EnvironmentSpec spec) {
            return new double[LIMIT];
        }
    }

    public static final class Silent implements EpisodeReward.OfWhole {
        static final CountDownLatch ARRIVED = new CountDownLatch(1);

        @Override
        public double reward(Episode episode, EnvironmentSpec spec) throws InterruptedException {
            ARRIVED.countDown();
            new CountDownLatch(1).await();
            return 0;
        }
    }

    public static final class Together extends Steps {
        private final CyclicBarrier barrier = new CyclicBarrier(TOGETHER);

        @Override
        public double[] rewards(Episode episode, EnvironmentSpec spec) throws Exception {
            barrier.await();
            return super.rewards(episode, spec);
        }
    }

    @Test
    void whatItTellsIsKnownBeforehand() {
        assertThat(open(Steps.class).grain()).contains(Grain.STEP);
        assertThat(open(Whole.class).grain()).contains(Grain.EPISODE);
    }

    public static final class Throwing implements EpisodeReward.OfWhole {
        @Override
        public double reward(Episode episode, EnvironmentSpec spec) throws Exception {
            if (episode.index() == 0) {
                throw new AssertionError("oops");
            }
            throw new Exception("no\nlicence");
        }
    }

    @Test
    void aClassThatThrowsIsAFailureThatNamesThePlace() {
        Evaluator evaluator = open(Throwing.class);
        assertThatThrownBy(() -> evaluator.evaluate(TestRequests.ask(1)))
                .isInstanceOf(EvaluationException.class)
                .hasMessageContaining("no licence at ")
                .hasMessageContaining("JavaEvaluatorTest.java");
        assertThatThrownBy(() -> evaluator.evaluate(TestRequests.ask(0)))
                .isInstanceOf(EvaluationException.class)
                .hasMessageContaining("oops");
    }

    public static final class Swallowing implements EpisodeReward.OfWhole {
        @Override
        public double reward(Episode episode, EnvironmentSpec spec) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted, in other words");
        }
    }

    @Test
    void anInterruptIsOneWhateverItIsWrappedIn() {
        assertThatThrownBy(() -> open(Swallowing.class).evaluate(TestRequests.ask(1)))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    public abstract static class Abstract implements EpisodeReward.OfWhole {}

    public static final class NotOne {}

    public static final class Needy extends Abstract {
        public Needy(int need) {
            assertThat(need).isPositive();
        }

        @Override
        public double reward(Episode episode, EnvironmentSpec spec) {
            return 0;
        }
    }

    public static final class Stillborn extends Abstract {
        public Stillborn() {
            throw new IllegalStateException("no GPU");
        }

        @Override
        public double reward(Episode episode, EnvironmentSpec spec) {
            return 0;
        }
    }

    public static final class BadStart extends Abstract {
        static final int VALUE = Integer.parseInt("no GPU either");

        @Override
        public double reward(Episode episode, EnvironmentSpec spec) {
            return VALUE;
        }
    }

    public static final class Hidden extends Abstract {
        private Hidden() {}

        @Override
        public double reward(Episode episode, EnvironmentSpec spec) {
            return 0;
        }
    }

    @Test
    void aClassThatCannotBeUsedIsToldAtOnce() {
        assertRefused("java:no.Such", "no class 'no.Such' on the class path", "PGKQ_CLASSPATH");
        assertRefused("java:", "no class ''");
        assertRefused("java:" + Abstract.class.getName(), "is abstract");
        assertRefused("java:" + EpisodeReward.OfSteps.class.getName(), "is abstract");
        assertRefused("java:" + NotOne.class.getName(), "does not implement dev.pgkq.reward.EpisodeReward.OfSteps");
        assertRefused("java:" + Needy.class.getName(), "constructor without arguments");
        assertRefused("java:" + Hidden.class.getName(), "a public constructor");
        assertRefused("java:" + Stillborn.class.getName(), "no GPU", "JavaEvaluatorTest.java");
        assertRefused("java:" + BadStart.class.getName(), "no GPU either");
    }

    private void assertRefused(String spec, String... words) {
        assertThatThrownBy(() -> Evaluators.open(spec, settings()))
                .isInstanceOf(UserException.class)
                .message()
                .contains(words);
    }

    public static final class Closing implements EpisodeReward.OfWhole {
        static boolean closed;

        @Override
        public double reward(Episode episode, EnvironmentSpec spec) {
            return 0;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void theClassIsClosed() {
        open(Closing.class).close();
        assertThat(Closing.closed).isTrue();
    }
}
