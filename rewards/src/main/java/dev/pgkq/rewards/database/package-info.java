/**
 * Databases as they are used here: opened carefully, durable at every commit, brought up to date, with errors in words. What is
 * kept in them is the affair of those who keep it.
 */
@NullMarked
package dev.pgkq.rewards.database;

import org.jspecify.annotations.NullMarked;
