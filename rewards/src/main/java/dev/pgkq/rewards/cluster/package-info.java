/** What a cluster is to the rest: a place where episodes are sampled and compared, and rewards computed. */
@NullMarked
package dev.pgkq.rewards.cluster;

import org.jspecify.annotations.NullMarked;
