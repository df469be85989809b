package dev.pgkq.app.command;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.config.SettingOptions;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code pgkq train}: decides what is to be trained and where, then trains. */
public final class TrainCommand implements Callable<Integer> {
    private static final String CONFIG = "--config";
    private static final String RESUME = "--resume";

    private CommandSpec spec = CommandSpec.create();

    private TrainCommand() {}

    /** The command with an option for every setting. */
    public static CommandSpec spec() {
        TrainCommand command = new TrainCommand();
        CommandSpec spec = CommandSpec.wrapWithoutInspection(command).name("train");
        spec.usageMessage()
                .description("Trains a policy; every setting is also a key of the YAML file.")
                .sortOptions(false);
        SettingOptions.addTo(spec);
        spec.addOption(OptionSpec.builder(CONFIG)
                .type(Path.class)
                .paramLabel("FILE")
                .description("YAML file with settings; options given here win over it")
                .build());
        spec.addOption(OptionSpec.builder(RESUME)
                .type(boolean.class)
                .description("go on with the run in --out where it stopped")
                .build());
        spec.addOption(OptionSpec.builder("--debug")
                .type(boolean.class)
                .description("show stack traces of errors")
                .build());
        spec.mixinStandardHelpOptions(true);
        command.spec = spec;
        return spec;
    }

    @Override
    public Integer call() {
        CommandLine line = spec.commandLine();
        ParseResult parsed = line.getParseResult();
        Map<Setting, Given> fromLine = SettingOptions.given(parsed);
        Path file = parsed.matchedOptionValue(CONFIG, Path.of(""));
        Map<Setting, Given> fromFile = file.toString().isEmpty() ? Map.of() : ConfigFile.read(file);
        boolean resume = parsed.matchedOptionValue(RESUME, false);
        RunConfig asked = RunConfig.of(fromFile, fromLine);
        Trains trains = resume ? resumed(asked, fromFile, fromLine) : fresh(asked);
        if (trains.config.has(Setting.MUJOCO)) {
            System.setProperty("pgkq.mujoco", trains.config.text(Setting.MUJOCO));
        }
        return new TrainingRun(trains.directory, resume, trains.config, line.getOut()).run();
    }

    private record Trains(RunDirectory directory, RunConfig config) {}

    private static Trains fresh(RunConfig config) {
        if (!config.has(Setting.OUT)) {
            String name =
                    config.text(Setting.ENV) + "_" + config.text(Setting.ALGO) + "_seed" + config.text(Setting.SEED);
            return new Trains(RunDirectory.firstFree(Path.of("runs").resolve(name)), config);
        }
        RunDirectory directory = new RunDirectory(Path.of(config.text(Setting.OUT)));
        if (directory.holdsRun()) {
            throw new UserException("--out " + directory.path()
                    + " holds a run already: add --resume to go on with it, or" + " give another folder");
        }
        if (!directory.isFree()) {
            throw new UserException(
                    "--out " + directory.path() + " is not empty and holds no run; give a new or empty" + " folder");
        }
        return new Trains(directory, config);
    }

    private static Trains resumed(RunConfig asked, Map<Setting, Given> fromFile, Map<Setting, Given> fromLine) {
        if (!asked.has(Setting.OUT)) {
            throw new UserException("--resume needs --out DIR, the folder of the run to go on with");
        }
        RunDirectory directory = new RunDirectory(Path.of(asked.text(Setting.OUT)));
        if (!directory.holdsRun()) {
            throw new UserException("--out " + directory.path()
                    + " holds no run to resume; leave out --resume to start one" + " there");
        }
        Map<Setting, Given> saved = ConfigFile.read(directory.config());
        RunConfig config = RunConfig.of(saved, fromFile, fromLine);
        config.requireSameRun(RunConfig.of(saved));
        return new Trains(directory, config);
    }
}
