package dev.pgkq.benchmarks;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.batch.LocalBatch;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.gp.FeatureGram;
import dev.pgkq.gradient.Surrogate;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.nn.Regression;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.GaussianPolicy;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.select.KernelSelector;
import dev.pgkq.select.Selection;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.Method;
import dev.pgkq.train.TrainSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What choosing by random features costs: the true wce of episodes that the approximate K chose, against those the exact K
 * chooses, while an algorithm trains on Hopper-v4.
 */
final class FeatureChoice implements Benchmark {
    private static final double TARGET = 1.1;
    private static final int BATCH = 64;

    @Override
    public String name() {
        return "features";
    }

    @Override
    public String doing() {
        return "episodes chosen by random features, on batches of Hopper-v4 (a minute)";
    }

    @Override
    public List<Row> run(Effort effort) {
        Task task = Tasks.named("Hopper-v4");
        List<Row> rows = new ArrayList<>();
        for (String algorithm : List.of("ppo-kq", "ppo-kq-plus")) {
            TrainSettings settings = TrainSettings.defaults(Algorithm.named(algorithm), 1);
            try (Workers workers = new Workers(Runtime.getRuntime().availableProcessors());
                    LocalRollouts rollouts = new LocalRollouts(task, 1, RolloutMode.TRAINING, workers);
                    EnvironmentReward oracle = new EnvironmentReward(task)) {
                rows.addAll(run(effort, task, settings, workers, rollouts, oracle));
            }
        }
        return rows;
    }

    private static List<Row> run(
            Effort effort,
            Task task,
            TrainSettings settings,
            Workers workers,
            LocalRollouts rollouts,
            EnvironmentReward oracle) {
        EnvironmentSpec spec = task.spec();
        GaussianPolicy policy = GaussianPolicy.initialize(spec.observationSize(), spec.actionSize(), 1);
        Regression baseline =
                new Regression(spec.observationSize(), 3e-4, RandomStream.of(1, Purpose.VALUE_INIT), workers);
        SurrogateAscent ascent = new SurrogateAscent(
                policy,
                new Surrogate.Clipped(settings.policy().clip()),
                settings.policy().ascent(),
                1,
                workers);
        Method method = Method.compose(spec, settings, policy, workers);
        List<Row> rows = new ArrayList<>();
        double exact = 0;
        double approximate = 0;
        int stage = effort.rounds(20);
        for (int i = 1; i <= 2 * stage; i++) {
            List<Episode> episodes = rollouts.sample(policy, i, BATCH);
            EpisodeBatch batch = new LocalBatch(episodes, workers);
            KernelSelector selector = (KernelSelector) method.selector();
            Selection chosen = selector.select(batch, i);
            GramMatrix gram = chosen.kernel().orElseThrow().gram();
            exact += Math.sqrt(gram.squaredError(chosen.points()));
            approximate += Math.sqrt(gram.squaredError(
                    byFeatures(selector, settings).select(batch, i).points()));
            PaidBatch paid =
                    new PaidBatch(batch, chosen, oracle.evaluate(chosen.points().of(episodes)));
            method.learner().learn(paid, baseline, i);
            ascent.improve(method.advantage().estimate(paid, baseline), i);
            int iteration = i;
            baseline.fit(
                    method.baseline().of(paid),
                    settings.baseline().minibatches(),
                    epoch -> RandomStream.of(1, Purpose.VALUE_SHUFFLE, iteration, epoch));
            if (i % stage == 0) {
                rows.add(row(settings, i - stage + 1, i, approximate / stage, exact / stage));
                exact = 0;
                approximate = 0;
            }
        }
        return rows;
    }

    private static Row row(TrainSettings settings, int from, int to, double approximate, double exact) {
        return Row.ratioAtMost(
                String.format(
                        Locale.ROOT,
                        "%s on Hopper-v4, iterations %d to %d: true wce of episodes chosen by %d features",
                        settings.algorithm().id(),
                        from,
                        to,
                        settings.selection().gramFeatures()),
                String.format(Locale.ROOT, "%.3g", approximate),
                String.format(Locale.ROOT, "%.3g", exact),
                approximate / exact,
                TARGET);
    }

    private static KernelSelector byFeatures(KernelSelector exact, TrainSettings settings) {
        EpisodicKernel kernel = exact.kernel();
        FeatureGram gram = new FeatureGram(settings.selection().gramFeatures(), 1);
        return new KernelSelector(
                new EpisodicKernel(kernel.steps(), kernel.credits(), gram, kernel.noise()),
                exact.rule(),
                exact.count(),
                exact.seed());
    }
}
