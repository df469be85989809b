package dev.pgkq.app.training;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.gym.PythonSettings;
import dev.pgkq.gym.PythonTasks;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The task that settings choose: from the catalogue, or an environment in Python. */
public final class EnvironmentChoice {
    private static final List<Setting> PYTHON_ONLY =
            List.of(Setting.ENV_ARGS, Setting.TIME_LIMIT, Setting.INFOS, Setting.FRAMES);

    private EnvironmentChoice() {}

    /** The task; what its environment prints goes to a temporary file. */
    public static Task task(RunConfig config) {
        return task(config, Optional::empty);
    }

    /** The task; what its environment prints goes to a file in the directory, once there is a run in it. */
    static Task task(RunConfig config, RunDirectory directory) {
        return task(
                config,
                () -> Optional.of(directory).filter(RunDirectory::holdsRun).map(RunDirectory::pythonLog));
    }

    private static Task task(RunConfig config, Supplier<Optional<Path>> log) {
        String id = config.text(Setting.ENV);
        if (!PythonTasks.isPython(id)) {
            Task task = Tasks.named(id);
            for (Setting setting : PYTHON_ONLY) {
                if (config.has(setting)) {
                    throw new UserException("--" + setting.key() + " is for environments in Python, and " + id
                            + " is none: leave it out");
                }
            }
            return task;
        }
        if (config.has(Setting.CLUSTER)) {
            throw new UserException("--cluster cannot be combined with " + id
                    + ": environments in Python are sampled on this machine only; leave it out");
        }
        Duration timeout = Duration.ofMillis(Math.max(
                1, Math.round(1e3 * config.realOr(Setting.ENV_TIMEOUT, PythonSettings.DEFAULT_TIMEOUT.toSeconds()))));
        return PythonTasks.task(
                id,
                PythonSettings.defaults()
                        .withInterpreter(config.text(Setting.PYTHON))
                        .withArguments(config.has(Setting.ENV_ARGS) ? config.text(Setting.ENV_ARGS) : "{}")
                        .withTimeLimit(config.countOr(Setting.TIME_LIMIT, 0))
                        .withTimeout(timeout)
                        .withLog(log));
    }
}
