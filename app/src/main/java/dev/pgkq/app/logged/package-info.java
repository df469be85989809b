/** Reads logged episodes from files, and selects the few whose rewards are most informative. */
@NullMarked
package dev.pgkq.app.logged;

import org.jspecify.annotations.NullMarked;
