package dev.pgkq.train;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.episode.Ending;
import dev.pgkq.gradient.PolicyGradient.PolicyStep;
import dev.pgkq.model.Learner.Lesson;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.reward.Grain;
import dev.pgkq.select.Selection;
import dev.pgkq.state.Snapshot;
import dev.pgkq.statistics.Statistics;
import dev.pgkq.train.IterationReport.Choice;
import dev.pgkq.train.IterationReport.Endings;
import dev.pgkq.train.IterationReport.Stage;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The counters of a run: iterations, steps, episodes and paid rewards. */
final class Progress {
    private int iteration;
    private long steps;
    private long episodes;
    private long rewardEvaluations;

    int iteration() {
        return iteration;
    }

    long rewardEvaluations() {
        return rewardEvaluations;
    }

    /** Counts an iteration and reports it. The {@code monitored} returns of the whole batch go into the report only. */
    IterationReport report(
            EpisodeBatch batch,
            double[] monitored,
            PaidBatch paid,
            Optional<String> unanswered,
            double paidReturn,
            Grain grain,
            PolicyStep step,
            double valueLoss,
            Lesson lesson,
            Map<Stage, Double> seconds) {
        Selection selection = paid.selection();
        long batchSteps =
                IntStream.range(0, batch.size()).mapToLong(batch::length).sum();
        iteration++;
        steps += batchSteps;
        episodes += batch.size();
        rewardEvaluations += selection.points().size();
        Statistics returns = Statistics.of(monitored);
        return new IterationReport(
                iteration,
                steps,
                episodes,
                rewardEvaluations,
                selection.points().size(),
                unanswered,
                returns.mean(),
                returns.standardError(),
                paidReturn,
                paid.spread(grain),
                (double) batchSteps / batch.size(),
                new Endings(
                        count(batch, Ending.TERMINATED), count(batch, Ending.TRUNCATED), count(batch, Ending.DIVERGED)),
                step,
                valueLoss,
                Choice.of(selection),
                lesson,
                seconds);
    }

    private static int count(EpisodeBatch batch, Ending ending) {
        return (int) IntStream.range(0, batch.size())
                .filter(episode -> batch.ending(episode) == ending)
                .count();
    }

    void save(Snapshot.Builder into) {
        into.counter(Snapshot.ITERATION, iteration);
        into.counter("steps", steps);
        into.counter("episodes", episodes);
        into.counter("reward_evaluations", rewardEvaluations);
    }

    void restore(Snapshot saved) {
        iteration = saved.iteration();
        steps = saved.counter("steps");
        episodes = saved.counter("episodes");
        rewardEvaluations = saved.counter("reward_evaluations");
    }
}
