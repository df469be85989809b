package dev.pgkq.app.command;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.training.ExternalRewards;
import dev.pgkq.rewards.desk.Spent;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.text.UserException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What a run has spent so far, and what the rest of it would need.
 *
 * @param spent the answers that were paid for, also those that the ledger has lost, and the calls without an answer; answers that
 *     the ledger had already are free
 */
record RunSpending(Spent spent) {
    private static final MathContext DIGITS = new MathContext(6, RoundingMode.CEILING);

    /** Read from the ledger of the run, or from its metrics if it has none; empty if that cannot be read now. */
    static Optional<RunSpending> of(RunDirectory directory, RunConfig config) {
        try {
            return Optional.of(config.reward().isPresent() ? inMetrics(directory) : inLedger(directory, config));
        } catch (UserException e) {
            return Optional.empty(); // the database server may be down; the report is complete enough without it
        }
    }

    private static RunSpending inMetrics(RunDirectory directory) {
        double[] paid = Metrics.read(directory.metrics()).column("reward_evaluations");
        long answers = paid.length == 0 ? 0 : (long) paid[paid.length - 1];
        return new RunSpending(new Spent(new Paid(answers, BigDecimal.ZERO), Paid.NOTHING));
    }

    private static RunSpending inLedger(RunDirectory directory, RunConfig config) {
        String run = RunName.of(directory.name(), directory.id());
        AtomicReference<Spent> sum = new AtomicReference<>(ExternalRewards.lost(directory));
        Ledger.read(ExternalRewards.ledger(config, directory.path()), entry -> {
            if (RunName.isSameRun(entry.id().run(), run)) {
                sum.updateAndGet(so -> so.and(entry));
            }
        });
        return new RunSpending(sum.get());
    }

    /** What was spent after an earlier moment. */
    RunSpending since(RunSpending earlier) {
        return new RunSpending(new Spent(
                spent.answers().minus(earlier.spent.answers()),
                spent.unanswered().minus(earlier.spent.unanswered())));
    }

    /**
     * A suggested budget, reduced to what the rest of the run can use.
     *
     * @param suggested an option and its value that continue the run
     * @param iterations the number of iterations left
     * @param config says how many rewards an iteration may need, and what one costs if none has been paid for
     */
    List<String> atMost(List<String> suggested, int iterations, RunConfig config) {
        long more = (long) iterations * config.trainSettings().paid();
        BigDecimal rest = BigDecimal.valueOf(more);
        Paid answers = spent.answers();
        BigDecimal priceOfRest = answers.evaluations() > 0
                ? answers.cost()
                        .multiply(rest)
                        .divide(BigDecimal.valueOf(answers.evaluations()), MathContext.DECIMAL128)
                : BigDecimal.valueOf(config.realOr(Setting.COST, 0)).multiply(rest);
        BigDecimal needed = suggested.getFirst().equals("--max-cost")
                ? spent.total().cost().add(priceOfRest).round(DIGITS)
                : BigDecimal.valueOf(spent.total().evaluations() + more);
        BigDecimal given = new BigDecimal(suggested.getLast());
        return List.of(
                suggested.getFirst(), needed.min(given).stripTrailingZeros().toPlainString());
    }
}
