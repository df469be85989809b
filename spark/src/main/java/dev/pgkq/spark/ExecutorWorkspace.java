package dev.pgkq.spark;

import dev.pgkq.batch.Monitor;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.episode.Steps;
import dev.pgkq.gp.EmbeddedEpisodes;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.GaussianPolicy;
import dev.pgkq.train.Method;
import dev.pgkq.train.TrainSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one task at a time works with on an executor: the simulators, the policy and the kernel of a run. To open them takes
 * far longer than a task does, so they are kept for the next one.
 */
final class ExecutorWorkspace {
    private static final Map<Blueprint, Queue<ExecutorWorkspace>> FREE = new ConcurrentHashMap<>();

    private final Workers worker = new Workers(1);
    private final LocalRollouts rollouts;
    private final GaussianPolicy policy;
    private final Optional<EpisodicKernel> kernel;
    private final Monitor monitor;

    private ExecutorWorkspace(Blueprint blueprint) {
        TrainSettings settings = blueprint.train();
        Task task = Tasks.named(blueprint.task());
        EnvironmentSpec spec = task.spec();
        this.rollouts = new LocalRollouts(task, settings.seed(), RolloutMode.TRAINING, worker);
        this.policy = GaussianPolicy.initialize(spec.observationSize(), spec.actionSize(), settings.seed());
        this.kernel = Method.compose(spec, settings, policy, worker).kernel();
        this.monitor = Monitor.of(blueprint.monitored().open(task));
    }

    /** Works with a bench that nobody else has meanwhile. */
    static <R> R with(Blueprint blueprint, Function<ExecutorWorkspace, R> work) {
        Interrupts.leaveToTheDriver();
        Queue<ExecutorWorkspace> free = FREE.computeIfAbsent(blueprint, any -> new ConcurrentLinkedQueue<>());
        ExecutorWorkspace found = free.poll();
        ExecutorWorkspace bench = found == null ? new ExecutorWorkspace(blueprint) : found;
        R result;
        try {
            result = work.apply(bench);
        } catch (RuntimeException | Error e) {
            bench.giveUp(e);
            throw e;
        }
        free.add(bench);
        return result;
    }

    /** A simulator may be in any state. */
    private void giveUp(Throwable reason) {
        for (AutoCloseable part : List.<AutoCloseable>of(rollouts, monitor, worker)) {
            try {
                part.close();
            } catch (Exception e) {
                reason.addSuppressed(e);
            }
        }
    }

    /**
     * Samples these episodes.
     *
     * @param embed whether the kernel will have to look at them here
     */
    Shard sample(Parameters parameters, int first, int count, boolean embed) {
        set(parameters);
        List<Episode> episodes = rollouts.sample(policy, parameters.iteration(), first, count);
        double[] returns = monitor.of(episodes).values();
        Optional<EpisodicKernel> looks = kernel.filter(any -> embed);
        return Shard.of(first, episodes, returns, looks.map(k -> k.embed(Steps.of(episodes))), looks);
    }

    private void set(Parameters parameters) {
        System.arraycopy(parameters.policy(), 0, policy.parameters(), 0, parameters.policy().length);
        kernel.ifPresent(
                k -> System.arraycopy(parameters.kernel(), 0, k.steps().parameters(), 0, parameters.kernel().length));
    }

    /** Episodes of a batch whose embeddings have this mean, to be put against others. */
    EpisodicGram.Part part(@Nullable EmbeddedEpisodes embedded, double[] mean) {
        if (embedded == null) {
            throw new IllegalStateException("the run has no kernel");
        }
        return kernel.orElseThrow().gram().part(embedded, mean, worker);
    }

    /** The block of the Gram matrix between these. */
    double[] block(EpisodicGram.Part rows, EpisodicGram.Part columns) {
        return rows.against(columns, worker);
    }
}
