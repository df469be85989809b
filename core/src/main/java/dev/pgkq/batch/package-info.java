/**
 * The episodes of an iteration, in this process or on other machines, and the sources that sample them. A source also
 * delivers the monitored returns, apart from the batch: only the trainer's report may read those.
 */
@NullMarked
package dev.pgkq.batch;

import org.jspecify.annotations.NullMarked;
