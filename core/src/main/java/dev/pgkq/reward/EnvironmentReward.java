package dev.pgkq.reward;

import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.env.TaskFailureException;
import dev.pgkq.episode.Episode;
import java.util.ArrayList;
import java.util.List;

/** The task's own reward, computed from the simulator states that an episode carries. */
public final class EnvironmentReward implements RewardOracle {
    private final Task task;
    private final Environment environment;

    /**
     * Opens a simulator of the task, which evaluates the rewards. It is closed with the oracle.
     *
     * @param task the task whose reward is evaluated
     */
    public EnvironmentReward(Task task) {
        this.task = task;
        this.environment = task.open();
    }

    /**
     * {@inheritDoc}
     *
     * @throws TaskFailureException if a reward is not finite
     */
    @Override
    public List<Rewards> evaluate(List<Episode> episodes) {
        List<Rewards> rewards = new ArrayList<>(episodes.size());
        for (Episode episode : episodes) {
            rewards.add(evaluate(episode));
        }
        return rewards;
    }

    private Rewards evaluate(Episode episode) {
        EnvironmentSpec spec = environment.spec();
        double[] before = new double[spec.stateSize()];
        double[] after = new double[spec.stateSize()];
        float[] action = new float[spec.actionSize()];
        double[] values = new double[episode.length()];
        for (int t = 0; t < values.length; t++) {
            System.arraycopy(episode.states(), t * before.length, before, 0, before.length);
            System.arraycopy(episode.states(), (t + 1) * after.length, after, 0, after.length);
            spec.toEnvironment(episode.actions(), t * spec.encodedActionSize(), action);
            values[t] = environment.reward(before, action, after);
            if (!Double.isFinite(values[t])) {
                throw new TaskFailureException(
                        task,
                        "the reward of " + task.id() + " is " + values[t] + " at step " + t + " of episode "
                                + episode.index() + ", iteration " + episode.iteration()
                                + ": rewards must be finite");
            }
        }
        return new Rewards(values);
    }

    @Override
    public void close() {
        environment.close();
    }
}
