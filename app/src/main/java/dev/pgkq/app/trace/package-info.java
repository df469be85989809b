/** What training writes for people to look at, beside its numbers, and how it is read. */
@NullMarked
package dev.pgkq.app.trace;

import org.jspecify.annotations.NullMarked;
