package dev.pgkq.app.command;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.training.ExternalRewards;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.text.UserException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a run has spent so far, and what the rest of it would need.
 *
 * @param evaluations answers that were paid for; answers that the ledger had already are free
 * @param cost of these evaluations
 */
record RunSpending(long evaluations, double cost) {
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
        return new RunSpending(paid.length == 0 ? 0 : (long) paid[paid.length - 1], 0);
    }

    private static RunSpending inLedger(RunDirectory directory, RunConfig config) {
        String run = RunName.of(directory.name(), directory.id());
        List<Double> costs = new ArrayList<>();
        Ledger.read(ExternalRewards.ledger(config, directory.path()), entry -> {
            if (entry.state() == State.DONE && RunName.isSameRun(entry.id().run(), run)) {
                costs.add(entry.cost());
            }
        });
        return new RunSpending(
                costs.size(), costs.stream().mapToDouble(Double::doubleValue).sum());
    }

    /** What was spent after an earlier moment. */
    RunSpending since(RunSpending earlier) {
        return new RunSpending(evaluations - earlier.evaluations, cost - earlier.cost);
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
        double each = evaluations > 0 ? cost / evaluations : config.realOr(Setting.COST, 0);
        BigDecimal needed = suggested.getFirst().equals("--max-cost")
                ? new BigDecimal(cost + more * each).round(DIGITS)
                : BigDecimal.valueOf(evaluations + more);
        BigDecimal given = new BigDecimal(suggested.getLast());
        return List.of(
                suggested.getFirst(), needed.min(given).stripTrailingZeros().toPlainString());
    }
}
