/**
 * People as the oracle: a queue of episodes that wait for a person's opinion, and what makes rewards of opinions. Training puts
 * questions into the queue and takes answers out; a web server, perhaps of another process, hands them to raters. The queue is a
 * file in the run directory and all that the two have in common.
 */
@NullMarked
package dev.pgkq.rewards.people;

import org.jspecify.annotations.NullMarked;
