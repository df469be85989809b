/**
 * Rewards from outside: a program, a service, a class or a folder is asked for the reward of one episode, and asked again
 * when it fails. Nothing here knows what is done with an answer, or remembers one; whoever asks does.
 */
@NullMarked
package dev.pgkq.rewards.oracle;

import org.jspecify.annotations.NullMarked;
