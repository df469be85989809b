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
import dev.pgkq.policy.Policy;
import dev.pgkq.spark.GramJob.PlacedPart;
import dev.pgkq.train.Method;
import dev.pgkq.train.TrainSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/**
 * The simulators, the policy and the kernel of a run, as one task at a time uses them on an executor. Opening them takes much
 * longer than a task, so they are kept for the next one.
 */
final class ExecutorWorkspace {
    private static final Map<Blueprint, Queue<ExecutorWorkspace>> FREE = new ConcurrentHashMap<>();

    private final Workers worker = new Workers(1);
    private final LocalRollouts rollouts;
    private final Policy policy;
    private final Optional<EpisodicKernel> kernel;
    private final Monitor monitor;

    private ExecutorWorkspace(Blueprint blueprint) {
        TrainSettings settings = blueprint.train();
        Task task = Tasks.named(blueprint.task());
        EnvironmentSpec spec = task.spec();
        this.rollouts = new LocalRollouts(task, settings.seed(), RolloutMode.TRAINING, worker);
        this.policy = Policy.initialize(spec, settings.inputScale(spec), settings.hidden(), settings.seed());
        this.kernel = Method.compose(spec, settings, policy, worker).kernel();
        this.monitor = Monitor.of(blueprint.monitored().open(task));
    }

    /** Runs some work with a workspace that no other task uses meanwhile. */
    static <R> R with(Blueprint blueprint, Function<ExecutorWorkspace, R> work) {
        InterruptSignals.ignoreOnExecutor();
        Queue<ExecutorWorkspace> free = FREE.computeIfAbsent(blueprint, unused -> new ConcurrentLinkedQueue<>());
        ExecutorWorkspace found = free.poll();
        ExecutorWorkspace workspace = found == null ? new ExecutorWorkspace(blueprint) : found;
        R result;
        try {
            result = work.apply(workspace);
        } catch (RuntimeException | Error e) {
            workspace.discard(e);
            throw e;
        }
        free.add(workspace);
        return result;
    }

    /** Closes everything, because a simulator may be in any state after a failure. */
    private void discard(Throwable reason) {
        for (AutoCloseable part : List.<AutoCloseable>of(rollouts, monitor, worker)) {
            try {
                part.close();
            } catch (Exception e) {
                reason.addSuppressed(e);
            }
        }
    }

    /**
     * Samples consecutive episodes.
     *
     * @param first index of the first one
     * @param embed whether to embed them for the kernel
     */
    Shard sample(Parameters parameters, int first, int count, boolean embed) {
        set(parameters);
        List<Episode> episodes = rollouts.sample(policy, parameters.iteration(), first, count);
        double[] returns = monitor.of(episodes).values();
        Optional<EpisodicKernel> embedding = kernel.filter(unused -> embed);
        return Shard.of(first, episodes, returns, embedding.map(k -> k.embed(Steps.of(episodes))), embedding);
    }

    private void set(Parameters parameters) {
        System.arraycopy(parameters.policy(), 0, policy.parameters(), 0, parameters.policy().length);
        policy.inputScale().follow(parameters.observations());
        kernel.ifPresent(
                k -> System.arraycopy(parameters.kernel(), 0, k.steps().parameters(), 0, parameters.kernel().length));
    }

    /**
     * Prepares a shard for blocks of the Gram matrix.
     *
     * @param mean of all embeddings of the batch
     * @param centre of the factors of the batch
     */
    PlacedPart part(Shard shard, double[] mean, double[] centre) {
        EmbeddedEpisodes factored = shard.embedded();
        if (factored == null) {
            throw new IllegalStateException("the run has no kernel");
        }
        EpisodicKernel own = kernel.orElseThrow();
        EmbeddedEpisodes credited = own.credited(factored, centre);
        return new PlacedPart(
                shard.summary().first(), own.gram().part(credited, mean, worker), own.squaredCredits(credited));
    }

    /** Computes the block of the Gram matrix between these episodes. */
    double[] block(EpisodicGram.Part rows, EpisodicGram.Part columns) {
        return rows.against(columns, worker);
    }
}
