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

/** With what settings a run that was begun goes on. */
public final class Resuming {
    private Resuming() {}

    /**
     * Those it was begun with, and what is given now. It must stay the run that it is, unless nothing was done and nothing
     * paid for: then there is nothing to go on with, and it may become another.
     */
    public static RunConfig config(RunDirectory directory, Map<Setting, Given> file, Map<Setting, Given> line) {
        Map<Setting, Given> saved = ConfigFile.read(directory.config());
        RunConfig config = RunConfig.of(saved, file, line);
        RunConfig before = RunConfig.of(saved);
        if (!config.identity().equals(before.identity()) && !nothingPaidFor(directory, before)) {
            config.requireSameRun(before);
        }
        return config;
    }

    /** Whether no iteration was done and no reward was ever answered; where that cannot be found out, it is not so. */
    public static boolean nothingPaidFor(RunDirectory directory) {
        try {
            return nothingPaidFor(directory, RunConfig.of(ConfigFile.read(directory.config())));
        } catch (UserException e) {
            return false;
        }
    }

    private static boolean nothingPaidFor(RunDirectory directory, RunConfig config) {
        try {
            return MetricsFile.rows(directory.metrics()) == 0
                    && directory.checkpoints().newest().isEmpty()
                    && (config.reward().isPresent() || nothingAnswered(directory, config));
        } catch (UserException e) {
            return false;
        }
    }

    private static boolean nothingAnswered(RunDirectory directory, RunConfig config) {
        String ledger = RewardDeskFactory.ledger(config, directory.path());
        if (!ledger.startsWith("jdbc:") && !Files.exists(Path.of(ledger))) {
            return true;
        }
        String run = RunName.of(directory.name(), directory.id());
        AtomicBoolean answered = new AtomicBoolean();
        Ledger.read(ledger, entry -> {
            // what was asked for and has no answer yet may have been paid for, and its answer lie elsewhere
            boolean possible = entry.state() == State.DONE || entry.state() == State.RUNNING;
            if (possible && RunName.isSameRun(entry.id().run(), run)) {
                answered.set(true);
            }
        });
        return !answered.get();
    }
}
