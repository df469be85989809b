package dev.pgkq.app.command;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.training.EnvironmentChoice;
import dev.pgkq.env.Task;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of environments in Python, for commands that name a task without a run. */
final class PythonOptions {
    @Option(
            names = "--python",
            paramLabel = "PATH",
            description =
                    "Python for environments and rewards written in it (default: that of the active virtual environment, or else"
                            + " python3)")
    private String python = "";

    @Option(
            names = "--env-args",
            paramLabel = "JSON",
            description = "arguments for the constructor of an environment in Python")
    private String arguments = "";

    @Option(
            names = "--time-limit",
            paramLabel = "STEPS",
            description = "most steps of an episode in Python (default: the environment's own limit, or else 1000)")
    private String timeLimit = "";

    /** The interpreter that was given; empty if none was. */
    String interpreter() {
        return python;
    }

    /** The task of that name. */
    Task task(String id) {
        Map<Setting, Given> given = new EnumMap<>(Setting.class);
        given.put(Setting.ENV, new Given(id, "--env"));
        given().forEach((setting, text) -> given.put(setting, new Given(text, "--" + setting.key())));
        return EnvironmentChoice.task(RunConfig.of(given));
    }

    /** The settings that were given, as KEY=VALUE. */
    List<String> assignments() {
        List<String> assignments = new ArrayList<>();
        given().forEach((setting, text) -> assignments.add(setting.key() + "=" + text));
        return assignments;
    }

    /** The options that were given, for another command. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        given().forEach((setting, text) -> words.addAll(List.of("--" + setting.key(), text)));
        return words;
    }

    private Map<Setting, String> given() {
        Map<Setting, String> given = new EnumMap<>(
                Map.of(Setting.PYTHON, python, Setting.ENV_ARGS, arguments, Setting.TIME_LIMIT, timeLimit));
        given.values().removeIf(String::isEmpty);
        return given;
    }
}
