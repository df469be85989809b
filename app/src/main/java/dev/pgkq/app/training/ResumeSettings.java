package dev.pgkq.app.training;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.MetricsFile;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.text.UserException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** The settings with which a run is resumed. */
public final class ResumeSettings {
    private ResumeSettings() {}

    /**
     * Merges the settings that the run was started with and those given now. They must describe the same run, unless it
     * has neither finished an iteration nor an answer to a reward: then its settings may change.
     *
     * @param file settings from a configuration file
     * @param line settings from the command line, which take precedence
     * @throws UserException if the settings describe another run
     */
    public static RunConfig merge(RunDirectory directory, Map<Setting, Given> file, Map<Setting, Given> line) {
        Map<Setting, Given> saved = ConfigFile.read(directory.config());
        RunConfig config = RunConfig.of(saved, file, line);
        RunConfig before = RunConfig.of(saved);
        if (!config.identity().equals(before.identity()) && !nothingAnswered(directory, before)) {
            config.requireSameRun(before);
        }
        return config;
    }

    /** Whether no iteration is finished and no reward was answered; false if that cannot be determined. */
    public static boolean nothingAnswered(RunDirectory directory) {
        try {
            return nothingAnswered(directory, RunConfig.of(ConfigFile.read(directory.config())));
        } catch (UserException e) {
            return false;
        }
    }

    private static boolean nothingAnswered(RunDirectory directory, RunConfig config) {
        try {
            return MetricsFile.rows(directory.metrics()) == 0
                    && directory.checkpoints().newest().isEmpty()
                    && (config.reward().isPresent() || hasNoAnswer(directory, config));
        } catch (UserException e) {
            return false;
        }
    }

    private static boolean hasNoAnswer(RunDirectory directory, RunConfig config) {
        String ledger = ExternalRewards.ledger(config, directory.path());
        if (!ledger.startsWith("jdbc:") && !Files.exists(Path.of(ledger))) {
            return true;
        }
        String run = RunName.of(directory.name(), directory.id());
        AtomicBoolean answered = new AtomicBoolean();
        Ledger.read(ledger, entry -> {
            // a request without an answer may have been paid for, and its answer may be elsewhere
            boolean possible = entry.state() == State.DONE || entry.state() == State.RUNNING;
            if (possible && RunName.isSameRun(entry.id().run(), run)) {
                answered.set(true);
            }
        });
        return !answered.get();
    }
}
