package dev.pgkq.app.training;

import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.Answer;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.rewards.desk.BudgetReached;
import dev.pgkq.rewards.desk.GrainMismatch;
import dev.pgkq.rewards.desk.LostPayments;
import dev.pgkq.rewards.desk.OracleChanged;
import dev.pgkq.text.UserException;
import java.util.List;
import java.util.Optional;

/** Names the options that fix what a reward desk reports; the desk itself does not know the command line. */
public final class RewardOptions {
    private RewardOptions() {}

    /**
     * The options without which a run that stopped with this error would stop with it again when it is resumed. Of two ways to go on, they
     * are the one that costs nothing. Empty if the run cannot be resumed.
     */
    public static Optional<List<String>> toContinue(UserException error) {
        return switch (error.getCause()) {
            case GrainMismatch mismatch -> Optional.empty();
            case LostPayments lost -> Optional.of(List.of("--accept-lost-ledger"));
            case OracleChanged changed -> Optional.of(List.of("--reward-version", Integer.toString(changed.version())));
            case null, default -> Optional.of(List.of());
        };
    }

    /** The option that raises the limit, and a value with which the run can continue. */
    static List<String> larger(BudgetReached reached) {
        return List.of(option(reached), reached.sufficient().toPlainString());
    }

    static String message(BudgetReached reached) {
        return reached.getMessage() + ". To continue, resume with a larger " + option(reached);
    }

    private static String option(BudgetReached reached) {
        return switch (reached.limit()) {
            case EVALUATIONS -> "--max-evaluations";
            case COST -> "--max-cost";
        };
    }

    static UserException explained(OracleChanged changed) {
        return new UserException(
                changed.getMessage() + ": reuse them with --reward-version " + changed.version()
                        + ", or have everything evaluated anew with --reward-version " + (changed.version() + 1),
                changed);
    }

    static UserException explained(GrainMismatch mismatch) {
        return new UserException(
                mismatch.getMessage() + ". Start a new run with --reward-per episode, and with --ledger "
                        + mismatch.ledger() + " to reuse what was paid for",
                mismatch);
    }

    static UserException explained(LostPayments lost, RunDirectory directory) {
        return new UserException(
                lost.getMessage() + ". Restore the ledger" + rescued(directory) + " and the file " + directory.idFile()
                        + " as they were, then resume. If they are lost, resume with --accept-lost-ledger: what was paid"
                        + " for still counts against the budget, and what is needed again is paid for again",
                lost);
    }

    /** Copies that were made when the ledger was deleted while a run used it. */
    private static String rescued(RunDirectory directory) {
        List<String> copies = directory.rescuedLedgers();
        return copies.isEmpty() ? "" : " (" + String.join(", ", copies) + " may be a copy)";
    }

    /** The same rewards, with errors that name options. */
    static RewardSource explaining(RewardSource rewards) {
        return new RewardSource() {
            @Override
            public List<Answer> request(List<Episode> episodes) {
                try {
                    return rewards.request(episodes);
                } catch (GrainMismatch e) {
                    throw explained(e);
                } catch (OracleChanged e) {
                    throw explained(e);
                }
            }

            @Override
            public void close() {
                rewards.close();
            }
        };
    }
}
