/**
 * The interface to a cluster that samples and compares episodes and computes rewards. Implementations are found as a service, so
 * that nothing depends on the cluster's software.
 *
 * <p>Only the interface, its settings and its errors belong here.
 */
@NullMarked
package dev.pgkq.rewards.cluster;

import org.jspecify.annotations.NullMarked;
