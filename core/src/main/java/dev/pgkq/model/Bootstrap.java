package dev.pgkq.model;

import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.episode.Steps;
import dev.pgkq.nn.Regression;

/**
 * What the returns of truncated episodes lack: γ^{T−t} V(s_T), an estimate of what would have followed after the time limit.
 *
 * @param form the estimator of the advantage; only some bootstrap
 * @param discount γ
 */
public record Bootstrap(AdvantageForm form, double discount) {
    /**
     * Adds what would have followed to the returns of truncated episodes.
     *
     * @param steps of the episodes
     * @param returns R of every step, changed
     * @param baseline V
     * @return the same array
     * @throws IllegalArgumentException if the observation after the last step of a truncated episode is not known
     */
    public double[] complete(Steps steps, double[] returns, Regression baseline) {
        Steps.Cuts cuts = steps.cuts();
        if (!form.bootstraps() || cuts.episodes().length == 0) {
            return returns;
        }
        if (cuts.observations().length == 0) {
            throw new IllegalArgumentException(
                    "a truncated episode has no final observation, from which its returns could be bootstrapped");
        }
        double[] values = baseline.predict(cuts.observations());
        for (int i = 0; i < values.length; i++) {
            addDiscounted(steps, cuts.episodes()[i], values[i], returns);
        }
        return returns;
    }

    /**
     * Computes the factor of V(s_T) in the return of every step: γ^{T−t} in truncated episodes, 0 elsewhere.
     *
     * @param steps of the episodes
     * @return one factor per step
     */
    public double[] factors(Steps steps) {
        double[] factors = new double[steps.size()];
        if (form.bootstraps()) {
            for (int episode : steps.cuts().episodes()) {
                addDiscounted(steps, episode, 1, factors);
            }
        }
        return factors;
    }

    private void addDiscounted(Steps steps, int episode, double value, double[] into) {
        double following = value;
        for (int i = steps.start(episode + 1) - 1; i >= steps.start(episode); i--) {
            following *= discount;
            into[i] += following;
        }
    }
}
