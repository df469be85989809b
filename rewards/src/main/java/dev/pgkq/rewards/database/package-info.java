/**
 * SQLite and PostgreSQL databases: opened with checks, durable at every commit, migrated to the current schema, and with error
 * messages that name a remedy.
 *
 * <p>Only what all stored data has in common belongs here. Tables and queries belong to the packages that use them.
 */
@NullMarked
package dev.pgkq.rewards.database;

import org.jspecify.annotations.NullMarked;
