package dev.pgkq.app.command;

import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.Heartbeat;
import dev.pgkq.app.training.PaidEvaluation;
import dev.pgkq.app.training.TrainedRun;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.Answer;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.statistics.Statistics;
import dev.pgkq.text.Numbers;
import dev.pgkq.text.UserException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The returns of episodes in the external reward of a run.
 *
 * @param returns of the episodes whose reward arrived
 * @param failed number of episodes whose reward did not, or was not paid for
 * @param limited whether the budget did not pay for all
 * @param spent what these rewards cost; empty if the ledger could not be read
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PaidReturn(double[] returns, int failed, boolean limited, Optional<RunSpending> spent) {
    private static final int WIDTH = 100;

    /**
     * Buys the rewards of these episodes, except those that the ledger has.
     *
     * @param budget settings that replace those of the run
     */
    static PaidReturn of(TrainedRun run, List<Episode> episodes, Map<Setting, Given> budget, PrintWriter err) {
        Consumer<String> messages = message -> {
            err.println("pgkq: " + message);
            err.flush();
        };
        RunDirectory directory = new RunDirectory(run.path());
        try (PaidEvaluation evaluation = PaidEvaluation.open(run, budget, messages);
                StopRequest stop = StopRequest.onSignals(messages, work(evaluation));
                Heartbeat heart = new Heartbeat(err)) {
            Optional<RunSpending> before = RunSpending.of(directory, evaluation.config());
            heart.doing(() -> evaluation.waiting(WIDTH));
            List<Answer> answers;
            try {
                answers = evaluation.score(episodes);
            } catch (RuntimeException e) {
                stop.awaitEndIfAtOnce();
                throw e;
            }
            Optional<RunSpending> spent = before.flatMap(
                    earlier -> RunSpending.of(directory, evaluation.config()).map(now -> now.since(earlier)));
            return of(answers, spent);
        }
    }

    private static PaidReturn of(List<Answer> answers, Optional<RunSpending> spent) {
        List<Double> returns = new ArrayList<>();
        String reason = "";
        for (Answer answer : answers) {
            switch (answer) {
                case Answer.Paid paid -> returns.add(paid.rewards().total());
                case Answer.Failed failure -> reason = failure.reason();
                case Answer.NotBought left ->
                    reason = String.valueOf(left.reason().getMessage());
            }
        }
        if (returns.isEmpty()) {
            throw new UserException("no reward arrived: " + reason);
        }
        return new PaidReturn(
                returns.stream().mapToDouble(Double::doubleValue).toArray(),
                answers.size() - returns.size(),
                answers.stream().anyMatch(Answer.NotBought.class::isInstance),
                spent);
    }

    private static StopRequest.Work work(PaidEvaluation evaluation) {
        return new StopRequest.Work() {
            @Override
            public int pendingRewards() {
                return evaluation.pendingRewards();
            }

            @Override
            public void abandon() {
                evaluation.abandon();
            }

            @Override
            public String finishing() {
                return "finishing this evaluation; press Ctrl-C again to stop at once";
            }

            @Override
            public String waiting(int out) {
                return "waiting for the rewards of this evaluation; press Ctrl-C again to stop at once and leave the "
                        + out + " that are out in doubt";
            }

            @Override
            public String leaving(int out) {
                return "The answers that are out will not be recorded: they are in doubt, and the same command requests them"
                        + " again with the same key";
            }

            @Override
            public String stopping() {
                return "stopping at once: answers that were received are kept";
            }
        };
    }

    /** The mean with its standard error, how many episodes it is the mean of, and what was paid for them now. */
    String words() {
        Statistics statistics = Statistics.of(returns);
        return Numbers.brief(statistics.mean())
                + (returns.length == 1
                        ? " (one episode, no standard error)"
                        : " ± " + Numbers.brief(statistics.standardError()) + " (standard error), " + returns.length
                                + " episodes")
                + (failed == 0
                        ? ""
                        : ", " + failed + " more without a reward" + (limited ? " because of the budget" : ""))
                + spent.map(this::payment).orElse("");
    }

    private String payment(RunSpending now) {
        Paid answers = now.spent().answers();
        if (answers.evaluations() == 0) {
            return "; nothing paid now, all were known";
        }
        return "; " + answers.evaluations() + " paid for now"
                + (answers.cost().signum() > 0
                        ? " (cost " + Numbers.brief(answers.cost().doubleValue()) + ")"
                        : "")
                + (answers.evaluations() < returns.length
                        ? ", " + (returns.length - answers.evaluations()) + " known already"
                        : "");
    }
}
