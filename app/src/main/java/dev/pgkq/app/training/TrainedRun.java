package dev.pgkq.app.training;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.config.UserClasses;
import dev.pgkq.app.run.Checkpoints;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.policy.Policy;
import dev.pgkq.state.Snapshot;
import dev.pgkq.text.UserException;
import dev.pgkq.train.TrainSettings;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;

/** A trained run, opened for use: its settings, its task and its newest state. Opening it changes nothing. */
public record TrainedRun(Path path, RunConfig config, Task task, Snapshot snapshot) {
    /**
     * Opens a run directory with its newest state.
     *
     * @param warnings receives a message for every damaged checkpoint that is skipped
     * @throws UserException if the folder is not a run directory, or has no checkpoint
     */
    public static TrainedRun open(Path path, Consumer<String> warnings) {
        return opened(path, directory -> newest(directory, warnings));
    }

    /**
     * Opens a run directory with the best policy that was kept, and no other state.
     *
     * @throws UserException if the folder is not a run directory, or has no such policy
     */
    public static TrainedRun openBest(Path path) {
        return opened(path, directory -> directory.best().read());
    }

    private static Snapshot newest(RunDirectory directory, Consumer<String> warnings) {
        Checkpoints.Found found = directory
                .checkpoints()
                .newest()
                .orElseThrow(() -> new UserException(directory.path()
                        + " has no checkpoint: no iteration was finished, or the checkpoint folder was removed"));
        found.damaged().values().forEach(problem -> warnings.accept("skipped a damaged checkpoint: " + problem));
        return found.saved().snapshot();
    }

    private static TrainedRun opened(Path path, Function<RunDirectory, Snapshot> state) {
        RunDirectory directory = new RunDirectory(path);
        if (!directory.holdsRun()) {
            throw new UserException(
                    path + " is not a run directory (it has no config.yaml); give a folder that 'pgkq train' created");
        }
        RunConfig config = RunConfig.of(ConfigFile.read(directory.config()));
        Snapshot snapshot = state.apply(directory);
        UserClasses.use(config.text(Setting.CLASSPATH));
        return new TrainedRun(path, config, EnvironmentChoice.task(config), snapshot);
    }

    /** The saved policy. */
    public Policy policy() {
        EnvironmentSpec shape = task.spec();
        TrainSettings settings = config.trainSettings();
        Policy policy = Policy.initialize(shape, settings.inputScale(shape), settings.hidden(), 0);
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
