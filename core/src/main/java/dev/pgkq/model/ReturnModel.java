package dev.pgkq.model;

import dev.pgkq.gp.DeepKernel;
import dev.pgkq.nn.Regression;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Map;

/**
 * Returns as a Gaussian process around the baseline, R_t − V(s_t) ~ GP(0, k): the paper's Option 1. Returns change with
 * the policy, so it learns from those of the current iteration only.
 *
 * @param kernel k
 * @param bootstrap how returns of truncated episodes are continued
 * @param seed of the run
 */
public record ReturnModel(DeepKernel kernel, Bootstrap bootstrap, long seed) implements Learner {
    @Override
    public Lesson learn(PaidBatch paid, Regression baseline, int iteration) {
        if (kernel.awaitsUnit(paid.paidRewards())) {
            return new Lesson(Double.NaN, Double.NaN, kernel.scale(), kernel.noise(), 0);
        }
        double[] values = bootstrap.complete(paid.paidSteps(), paid.paidReturns(bootstrap.discount()), baseline);
        double[] expected = baseline.predict(paid.paidSteps().observations());
        for (int i = 0; i < values.length; i++) {
            values[i] -= expected[i];
        }
        RandomStream random = RandomStream.of(seed, Purpose.KERNEL_SHUFFLE, iteration);
        DeepKernel.Fit fit = kernel.fit(paid.paidSteps().stateActions(), values, random);
        return new Lesson(Double.NaN, fit.logLikelihood(), kernel.scale(), kernel.noise(), fit.skipped());
    }

    @Override
    public Map<String, float[]> parameters() {
        return Map.of("kernel", kernel.parameters());
    }

    @Override
    public void save(Snapshot.Builder into) {
        kernel.save("kernel", into);
    }

    @Override
    public void restore(Snapshot saved) {
        kernel.restore("kernel", saved);
    }
}
