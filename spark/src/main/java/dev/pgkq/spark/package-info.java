/**
 * Apache Spark as the place where episodes are sampled, compared and rewarded. {@link dev.pgkq.spark.SparkCluster} is the
 * driver's side; {@link dev.pgkq.spark.ExecutorWorkspace} is what a task works with on an executor. A task is a function of the run's
 * settings, the parameters that were sent with it and the numbers of its episodes: Spark may do it again anywhere, at any
 * time, and the bits are the same. Rewards are the exception, and are never done again by Spark: see
 * {@link dev.pgkq.spark.ClusterEvaluator}.
 */
@NullMarked
package dev.pgkq.spark;

import org.jspecify.annotations.NullMarked;
