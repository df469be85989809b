/**
 * People as evaluators: a queue of episodes that wait for ratings, leases for raters, and rewards computed from ratings or
 * comparisons. {@link dev.pgkq.rewards.people.HumanEvaluator} is used by training, {@link dev.pgkq.rewards.people.PeopleQueue} by
 * whatever shows episodes to raters.
 *
 * <p>The queue is a file in the run directory, and all that training and a web server have in common; they may be different
 * processes. Pages, requests and access control belong in the application.
 */
@NullMarked
package dev.pgkq.rewards.people;

import org.jspecify.annotations.NullMarked;
