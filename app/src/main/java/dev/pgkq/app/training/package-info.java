/**
 * Training in a run directory. {@link dev.pgkq.app.training.TrainingRun} opens what a run needs,
 * {@code CheckpointRestore} continues a run that was stopped, {@code TrainingLoop} trains and saves, {@code RunJournal}
 * reports. {@link dev.pgkq.app.training.TrainedRun} opens a run for use afterwards.
 */
@NullMarked
package dev.pgkq.app.training;

import org.jspecify.annotations.NullMarked;
