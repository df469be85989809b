package dev.pgkq.benchmarks;

import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.gp.FeatureGram;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.ScoreProjection;
import dev.pgkq.quadrature.LocalSearch;
import dev.pgkq.quadrature.QuadratureRule;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.select.KernelSelector;
import dev.pgkq.select.StepFactors;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What choosing by random features costs: the true wce of episodes that the approximate K chose, against those the exact K
 * chooses, on batches of Hopper-v4 at three stages of training.
 */
final class FeatureChoice implements Benchmark {
    private static final double TARGET = 1.1;
    private static final int BATCH = 64;
    private static final int SELECT = 8;
    private static final int BETWEEN = 15;

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
        int threads = Runtime.getRuntime().availableProcessors();
        List<Row> rows = new ArrayList<>();
        TrainSettings settings = TrainSettings.defaults(Algorithm.named("ppo-large"), 1);
        try (Trainer trainer = new Trainer(task, settings, threads);
                Workers workers = new Workers(threads);
                LocalRollouts rollouts = new LocalRollouts(task, 2, RolloutMode.TRAINING, workers)) {
            for (int stage = 0; stage < 3; stage++) {
                for (int i = 0; i < BETWEEN && stage > 0; i++) {
                    trainer.iterate();
                }
                List<List<Episode>> batches = new ArrayList<>();
                for (int b = 0; b < effort.rounds(10); b++) {
                    batches.add(rollouts.sample(trainer.policy(), 1000 * stage + b, BATCH));
                }
                String after = ", Hopper-v4 after " + stage * BETWEEN + " iterations";
                StepFactors scores = StepFactors.scores(new ScoreProjection(trainer.policy(), 32, 1, workers));
                rows.add(compare("scalar kernel" + after, task, StepFactors.ones(), batches, workers));
                rows.add(compare("score kernel" + after, task, scores, batches, workers));
            }
        }
        return rows;
    }

    private static Row compare(
            String what, Task task, StepFactors factors, List<List<Episode>> batches, Workers workers) {
        TrainSettings settings = TrainSettings.defaults(Algorithm.named("ppo-kq"), 1);
        EnvironmentSpec spec = task.spec();
        DeepKernel kernel = new DeepKernel(
                spec.observationSize() + spec.actionSize(),
                settings.kernel(),
                RandomStream.of(1, Purpose.KERNEL_INIT),
                workers);
        int count = settings.selection().gramFeatures();
        double exact = 0;
        double approximate = 0;
        for (List<Episode> batch : batches) {
            KernelSelector truth = selector(kernel, factors, new ExactGram(), settings, workers);
            KernelSelector features = selector(kernel, factors, new FeatureGram(count, 1), settings, workers);
            var gram = truth.view(batch).gram();
            exact += Math.sqrt(gram.squaredError(truth.select(batch, 1).points()));
            approximate += Math.sqrt(gram.squaredError(features.select(batch, 1).points()));
        }
        return Row.ratioAtMost(
                "wce of episodes chosen by " + count + " features, " + what,
                String.format(Locale.ROOT, "%.3g", approximate / batches.size()),
                String.format(Locale.ROOT, "%.3g", exact / batches.size()),
                approximate / exact,
                TARGET);
    }

    private static KernelSelector selector(
            DeepKernel kernel, StepFactors factors, EpisodicGram gram, TrainSettings settings, Workers workers) {
        QuadratureRule rule = new LocalSearch(0);
        Credit credit = new Credit(AdvantageForm.E2, settings.discount(), true);
        return new KernelSelector(kernel, factors, Credit.Of.REWARDS, credit, gram, false, rule, SELECT, 1, workers);
    }
}
