package dev.pgkq.benchmarks;

import dev.pgkq.env.Task;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.gym.PythonException;
import dev.pgkq.gym.PythonSettings;
import dev.pgkq.gym.PythonTasks;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Environments in Python, stepped by two worker processes: against two plain loops in Python that step the same environment
 * with random actions and do nothing else, and against Gymnasium's {@code AsyncVectorEnv} at its best number of environments.
 * Python is that of the active virtual environment, or else {@code python3}.
 */
final class Bridge implements Benchmark {
    private static final int WORKERS = 2;
    private static final double LOOP_TARGET = 0.85;
    private static final double SHARE_TARGET = 0.25;
    private static final String SHARE =
            "gym:Pendulum-v1, share of the CPU time of sampling with a policy outside Python";
    private static final int[] VECTORS = {2, 4, 8, 16};
    private static final int EPISODES = 64;

    /**
     * An environment to measure.
     *
     * @param steps of each process in a round
     * @param vectorTarget speed as a multiple of AsyncVectorEnv's; empty if there is no target
     */
    private record Subject(String id, int steps, Optional<Double> vectorTarget) {
        String loops() {
            return "gym:" + id + ", two workers against two plain loops in Python";
        }

        String sampling() {
            return "gym:" + id + ", sampling with a policy against two plain loops in Python";
        }

        String vector() {
            return "gym:" + id + ", two workers against AsyncVectorEnv";
        }
    }

    private static final List<Subject> SUBJECTS = List.of(
            new Subject("Pendulum-v1", 4000, Optional.of(6.0)),
            new Subject("Hopper-v5", 4000, Optional.of(2.5)),
            new Subject("CartPole-v1", 4000, Optional.empty()));

    private final PythonSettings settings = PythonSettings.defaults();

    @Override
    public String name() {
        return "bridge";
    }

    @Override
    public String doing() {
        return "environments in Python, through worker processes and without (three minutes)";
    }

    @Override
    public List<Row> run(Effort effort) {
        List<Row> rows = new ArrayList<>();
        for (Subject subject : SUBJECTS) {
            rows.addAll(measured(subject, effort));
        }
        return rows;
    }

    private List<Row> measured(Subject subject, Effort effort) {
        Task task = PythonTasks.task("gym:" + subject.id(), settings);
        try (Workers workers = new Workers(WORKERS);
                BridgeSteps ours = new BridgeSteps(task, workers)) {
            List<Row> rows = new ArrayList<>();
            rows.add(loops(subject, ours, effort));
            rows.add(vector(subject, ours, effort));
            rows.add(sampling(subject, task, workers, effort));
            if (subject.equals(SUBJECTS.getFirst())) {
                rows.add(share(task, effort));
            }
            return rows;
        } catch (PythonException e) {
            String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            return List.of(
                    Row.notMeasured(subject.loops(), "≥ " + LOOP_TARGET, why),
                    Row.notMeasured(subject.vector(), "", why));
        }
    }

    private Row loops(Subject subject, BridgeSteps ours, Effort effort) {
        try (PythonPeers loops = new PythonPeers(settings.command(), WORKERS, "loop", subject.id(), subject.steps())) {
            Rounds rounds = Rounds.alternate(
                    effort.rounds(10),
                    effort.rounds(50),
                    Rounds.timed(() -> ours.run(subject.steps())),
                    Rounds.timed(loops::round));
            int steps = WORKERS * subject.steps();
            return Row.atLeast(
                    subject.loops(),
                    rate(steps, rounds.ours()),
                    rate(steps, rounds.peer()),
                    rounds.speedup(),
                    LOOP_TARGET);
        }
    }

    private Row vector(Subject subject, BridgeSteps ours, Effort effort) {
        int steps = WORKERS * subject.steps();
        List<Row> rows = new ArrayList<>();
        double best = Double.POSITIVE_INFINITY;
        for (int count : VECTORS) {
            try (PythonPeers vector = new PythonPeers(settings.command(), 1, "vector", subject.id(), steps, count)) {
                Rounds rounds = Rounds.alternate(
                        effort.rounds(3),
                        effort.rounds(15),
                        Rounds.timed(() -> ours.run(subject.steps())),
                        Rounds.timed(vector::round));
                if (rounds.peer() < best) {
                    best = rounds.peer();
                    String what = subject.vector() + " with its best number of environments, " + count;
                    String our = rate(steps, rounds.ours());
                    String their = rate(steps, rounds.peer());
                    rows.add(subject.vectorTarget()
                            .map(target -> Row.atLeast(what, our, their, rounds.speedup(), target))
                            .orElseGet(() -> Row.forReference(what, our, their, rounds.speedup())));
                }
            }
        }
        return rows.getLast();
    }

    /**
     * The share of the CPU time of sampling with a policy that is not Python's. With one worker, the calling thread does all
     * that Python does not do.
     */
    private static Row share(Task task, Effort effort) {
        Policy policy = Policy.initialize(task.spec(), 1);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (Workers one = new Workers(1);
                LocalRollouts rollouts = new LocalRollouts(task, 1, RolloutMode.TRAINING, one)) {
            int rounds = effort.rounds(25);
            for (int i = 0; i < effort.rounds(10); i++) {
                rollouts.sample(policy, 1, EPISODES);
            }
            double python = -pythonSeconds();
            double ours = -threads.getCurrentThreadCpuTime() * 1e-9;
            for (int i = 0; i < rounds; i++) {
                rollouts.sample(policy, 1, EPISODES);
            }
            python += pythonSeconds();
            ours += threads.getCurrentThreadCpuTime() * 1e-9;
            return Row.ratioAtMost(
                    SHARE,
                    milliseconds(ours / rounds),
                    milliseconds(python / rounds),
                    ours / (ours + python),
                    SHARE_TARGET);
        }
    }

    /** CPU time of all processes that this one started. */
    private static double pythonSeconds() {
        return ProcessHandle.current()
                .children()
                .mapToDouble(child -> child.info()
                        .totalCpuDuration()
                        .map(time -> time.toNanos() * 1e-9)
                        .orElse(0.0))
                .sum();
    }

    /** Sampling with a policy against plain loops that take as many steps. */
    private Row sampling(Subject subject, Task task, Workers workers, Effort effort) {
        Policy policy = Policy.initialize(task.spec(), 1);
        try (LocalRollouts rollouts = new LocalRollouts(task, 1, RolloutMode.TRAINING, workers)) {
            int steps = rollouts.sample(policy, 1, EPISODES).stream()
                    .mapToInt(Episode::length)
                    .sum();
            try (PythonPeers loops =
                    new PythonPeers(settings.command(), WORKERS, "loop", subject.id(), steps / WORKERS)) {
                Rounds rounds = Rounds.alternate(
                        effort.rounds(5),
                        effort.rounds(25),
                        Rounds.timed(() -> rollouts.sample(policy, 1, EPISODES)),
                        Rounds.timed(loops::round));
                return Row.forReference(
                        subject.sampling(), rate(steps, rounds.ours()), rate(steps, rounds.peer()), rounds.speedup());
            }
        }
    }

    private static String milliseconds(double seconds) {
        return String.format(Locale.ROOT, "%.0f ms", 1e3 * seconds);
    }

    private static String rate(int steps, double seconds) {
        return String.format(Locale.ROOT, "%.1f k steps/s", steps / seconds * 1e-3);
    }
}
