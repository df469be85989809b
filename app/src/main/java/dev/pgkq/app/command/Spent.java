package dev.pgkq.app.command;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.training.RewardDeskFactory;
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
 * What a run has paid for so far, and what the rest of it would need.
 *
 * @param evaluations answers that were paid for, which those that a ledger knew already were not
 * @param cost of these
 */
record Spent(long evaluations, double cost) {
    private static final MathContext DIGITS = new MathContext(6, RoundingMode.CEILING);

    /** By the run's ledger, or by its metrics where no ledger is kept; empty if that cannot be read now. */
    static Optional<Spent> of(RunDirectory directory, RunConfig config) {
        try {
            return Optional.of(config.reward().isPresent() ? inMetrics(directory) : inLedger(directory, config));
        } catch (UserException e) {
            return Optional.empty(); // a server may be gone; what is said without it will do
        }
    }

    private static Spent inMetrics(RunDirectory directory) {
        double[] paid = Metrics.read(directory.metrics()).column("reward_evaluations");
        return new Spent(paid.length == 0 ? 0 : (long) paid[paid.length - 1], 0);
    }

    private static Spent inLedger(RunDirectory directory, RunConfig config) {
        String run = RunName.of(directory.name(), directory.id());
        List<Double> costs = new ArrayList<>();
        Ledger.read(RewardDeskFactory.ledger(config, directory.path()), entry -> {
            if (entry.state() == State.DONE && RunName.isSameRun(entry.id().run(), run)) {
                costs.add(entry.cost());
            }
        });
        return new Spent(
                costs.size(), costs.stream().mapToDouble(Double::doubleValue).sum());
    }

    /**
     * A larger budget, but not larger than the run can use.
     *
     * @param suggested the option and a value with which the run goes on
     * @param iterations how many are left
     * @param config tells how many rewards an iteration may need, and what one costs if none has been paid for
     */
    List<String> atMost(List<String> suggested, int iterations, RunConfig config) {
        long more = (long) iterations * config.trainSettings().paid();
        double each = evaluations > 0 ? cost / evaluations : config.notNegative(Setting.COST, 0);
        BigDecimal needed = suggested.getFirst().equals("--max-cost")
                ? new BigDecimal(cost + more * each).round(DIGITS)
                : BigDecimal.valueOf(evaluations + more);
        BigDecimal given = new BigDecimal(suggested.getLast());
        return List.of(
                suggested.getFirst(), needed.min(given).stripTrailingZeros().toPlainString());
    }
}
