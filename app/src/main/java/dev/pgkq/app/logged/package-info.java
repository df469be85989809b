/** Logged episodes, read from files of others, and which few of them are worth a reward. */
@NullMarked
package dev.pgkq.app.logged;

import org.jspecify.annotations.NullMarked;
