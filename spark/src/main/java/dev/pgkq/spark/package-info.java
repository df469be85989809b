/**
 * Apache Spark as the place where episodes are sampled, compared and rewarded. {@link dev.pgkq.spark.SparkCluster} is the
 * driver's side; {@link dev.pgkq.spark.ExecutorWorkspace} holds what a task works with on an executor. A task is a function of
 * the run's settings, the broadcast parameters and the indices of its episodes: Spark may repeat it anywhere at any time, and
 * the result has the same bits. Rewards are the exception, and Spark never repeats them: see
 * {@link dev.pgkq.spark.ClusterEvaluator}.
 */
@NullMarked
package dev.pgkq.spark;

import org.jspecify.annotations.NullMarked;
