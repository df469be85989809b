/** Logged episodes, read from files of others, and which few of them are worth a reward. */
@NullMarked
package dev.pgkq.app.select;

import org.jspecify.annotations.NullMarked;
