package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.Answer;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.RetryPolicy;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A request that a budget cuts, with answers whose stated costs vary, stopped while a call is out and made again. The call that was
 * out counts, and the answers before it may have been cheaper than expected, so that other episodes may be bought than without the
 * stop. But the budget holds, and no answer is lost or bought again.
 */
class CutRequestTest {
    private static final int LENGTH = 3;
    private static final int EPISODES = 10;
    private static final double LIMIT = 4;
    /** The first answer is the most expensive one: then the budget cannot be exceeded. */
    private static final double[] COSTS = {1, 0.2, 0.9, 0.1, 0.7, 0.3, 0.9, 0.4, 0.1, 0.6};

    private static final Task TASK = Tasks.named("Pendulum-v1");

    @TempDir
    private Path folder = Path.of("");

    private final Map<String, Integer> calls = new HashMap<>();
    private final CountDownLatch out = new CountDownLatch(1);
    private int made;

    /** Answers one call after another, except that a certain one is never answered. */
    private final class Judge implements Evaluator {
        private final int silentAt;

        Judge(int silentAt) {
            this.silentAt = silentAt;
        }

        @Override
        public String identity() {
            return "judge";
        }

        @Override
        public Reply evaluate(Request request) throws InterruptedException {
            synchronized (calls) {
                calls.merge(request.idempotencyKey(), 1, Integer::sum);
                made++;
                if (made == silentAt) {
                    out.countDown();
                    new CountDownLatch(1).await();
                }
            }
            int index = request.episode().index();
            return new Reply(Grain.EPISODE, new double[] {index}, OptionalDouble.of(COSTS[index]), Optional.empty());
        }

        @Override
        public void close() {}
    }

    private RewardDesk desk(int silentAt) {
        RetryPolicy usual = RetryPolicy.defaults();
        RetryPolicy oneByOne = new RetryPolicy(
                1,
                usual.timeout(),
                usual.firstPause(),
                usual.longestPause(),
                usual.longestWait(),
                usual.perMinute(),
                1);
        return RewardDesk.open(
                new Judge(silentAt),
                oneByOne,
                folder.resolve("ledger.db").toString(),
                new Budget(Long.MAX_VALUE, LIMIT, 1),
                TASK,
                "run",
                folder.resolve("spool"),
                Grain.EPISODE,
                RewardListener.none());
    }

    private static List<Episode> episodes() {
        List<Episode> episodes = new ArrayList<>();
        for (int e = 0; e < EPISODES; e++) {
            episodes.add(new Episode(
                    1,
                    e,
                    LENGTH,
                    new float[3 * LENGTH],
                    new float[] {e, e, e},
                    new float[LENGTH],
                    new double[(LENGTH + 1) * TASK.spec().stateSize()],
                    Ending.TRUNCATED));
        }
        return episodes;
    }

    private List<LedgerEntry> ledger() {
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(folder.resolve("ledger.db").toString(), entries::add);
        return entries;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void theBudgetHoldsAndNoAnswerIsLostOrBoughtAgain(int silentAt) throws Exception {
        RewardDesk stopped = desk(silentAt);
        FutureTask<List<Answer>> request = new FutureTask<>(() -> stopped.request(episodes()));
        Thread.ofVirtual().start(request);
        out.await();
        stopped.close();
        assertThatThrownBy(request::get).isInstanceOf(ExecutionException.class);
        List<String> answered = ledger().stream()
                .filter(entry -> entry.state() == State.DONE)
                .map(entry -> entry.id().key().hex())
                .toList();
        assertThat(answered).hasSize(silentAt - 1);

        List<Answer> answers;
        Spent spent;
        try (RewardDesk again = desk(-1)) {
            answers = again.request(episodes());
            spent = again.spent();
        }

        assertThat(spent.total().cost()).isLessThanOrEqualTo(BigDecimal.valueOf(LIMIT));
        assertThat(spent.unanswered().evaluations()).isEqualTo(1);
        assertThat(answered).allSatisfy(key -> assertThat(calls.get(key)).isEqualTo(1));
        assertThat(calls.values().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(spent.total().evaluations());
        List<Answer> paid =
                answers.stream().filter(Answer.Paid.class::isInstance).toList();
        assertThat(paid).hasSize((int) spent.answers().evaluations()).hasSizeGreaterThanOrEqualTo(silentAt - 1);
    }
}
