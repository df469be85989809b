package dev.pgkq.spark;

import dev.pgkq.reward.TaskReward;
import dev.pgkq.train.TrainSettings;
import java.io.Serializable;

/**
 * Everything that an executor needs to create the simulators, the policy and the kernel of a run.
 *
 * @param task identifier of the task
 * @param train settings of the trainer
 * @param monitored the reward whose mean over all episodes is reported
 */
record Blueprint(String task, TrainSettings train, TaskReward monitored) implements Serializable {}
