package dev.pgkq.app.training;

import dev.pgkq.app.run.Checkpoints;
import dev.pgkq.app.run.MetricsFile;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Trainer;
import java.util.Optional;

/**
 * Puts a trainer into the state in which the run was saved.
 *
 * @param directory of the run
 * @param found the newest checkpoint; empty for a run that starts from scratch
 */
record CheckpointRestore(RunDirectory directory, Optional<Checkpoints.Found> found) {
    /** A run that starts from scratch. */
    static CheckpointRestore none(RunDirectory directory) {
        return new CheckpointRestore(directory, Optional.empty());
    }

    /**
     * Looks for the checkpoint to resume from. Nothing is changed on disk.
     *
     * @param iterations the run should have
     * @throws UserException if resuming would start over, or if the run has more iterations already
     */
    static CheckpointRestore find(RunDirectory directory, int iterations) {
        Optional<Checkpoints.Found> found = directory.checkpoints().newest();
        if (found.isEmpty() && MetricsFile.rows(directory.metrics()) > 1) {
            throw new UserException(directory.path() + " has metrics but no checkpoint: resuming would start over"
                    + " and erase them. Restore the checkpoint folder, or start a new run with --config "
                    + directory.config());
        }
        int done = found.map(newest -> newest.saved().snapshot().iteration()).orElse(0);
        if (done > iterations) {
            throw new UserException("the run in " + directory.path() + " has " + RunJournal.counted(done, "iteration")
                    + " already; --iterations " + iterations
                    + " would be fewer. Give a larger number to continue training");
        }
        return new CheckpointRestore(directory, found);
    }

    /** Whether there is a state to restore. */
    boolean isPresent() {
        return found.isPresent();
    }

    /** What the run had paid for when it was saved. */
    Optional<SavedPayments> payments() {
        return found.map(newest -> SavedPayments.of(newest.saved().snapshot()));
    }

    /** Restores the trainer, sets damaged checkpoints aside and reports whatever is unusual about them. */
    void into(Trainer trainer, RunJournal journal) {
        found.ifPresent(newest -> restore(newest, trainer, journal));
    }

    private void restore(Checkpoints.Found newest, Trainer trainer, RunJournal journal) {
        newest.damaged().values().forEach(journal::damagedCheckpoint);
        try {
            trainer.restore(newest.saved().snapshot());
        } catch (IllegalArgumentException e) {
            throw new UserException(
                    "the checkpoint in " + directory.path() + " does not fit its config.yaml or this version: "
                            + e.getMessage(),
                    e);
        }
        directory.checkpoints().setAside(newest);
        journal.resuming(trainer.iteration());
        int rows = MetricsFile.rows(directory.metrics());
        if (rows < trainer.iteration()) {
            journal.missingMetrics(rows, trainer.iteration());
        }
        if (!newest.saved().numerics().equals(TrainingLoop.NUMERICS)) {
            journal.otherNumerics(newest.saved().numerics());
        }
    }
}
