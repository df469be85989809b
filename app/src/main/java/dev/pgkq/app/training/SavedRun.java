package dev.pgkq.app.training;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.Checkpoints;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.policy.GaussianPolicy;
import dev.pgkq.state.Snapshot;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A run that was trained, to be used: its settings, its task and its newest state. Nothing in it is changed. */
public record SavedRun(Path path, RunConfig config, Task task, Snapshot snapshot) {
    /** @param warnings is told of checkpoints that are damaged and passed over */
    public static SavedRun open(Path path, Consumer<String> warnings) {
        RunDirectory directory = new RunDirectory(path);
        if (!directory.holdsRun()) {
            throw new UserException(
                    path + " holds no run (there is no config.yaml); give the folder that 'pgkq train' wrote");
        }
        RunConfig config = RunConfig.of(ConfigFile.read(directory.config()));
        Checkpoints.Found found = directory
                .checkpoints()
                .newest()
                .orElseThrow(() -> new UserException(
                        path + " has no checkpoint: no iteration was finished, or its folder was removed"));
        found.damaged().values().forEach(problem -> warnings.accept("damaged checkpoint passed over: " + problem));
        return new SavedRun(
                path,
                config,
                Tasks.named(config.text(Setting.ENV)),
                found.saved().snapshot());
    }

    /** The policy, as it was saved. */
    public GaussianPolicy policy() {
        EnvironmentSpec shape = task.spec();
        GaussianPolicy policy = GaussianPolicy.initialize(shape.observationSize(), shape.actionSize(), 0);
        try {
            policy.restore("policy", snapshot);
        } catch (IllegalArgumentException e) {
            throw new UserException(
                    "the saved policy does not fit the task: " + e.getMessage()
                            + ". Either config.yaml names another task, or another version of pgkq made the run",
                    e);
        }
        return policy;
    }
}
