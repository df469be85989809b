/**
 * The files of a run directory. What was written survives a crash: a file is either replaced as a whole or grows by whole
 * lines, and a half-written last line does not spoil the next when it is opened again. Nothing here knows how training
 * works.
 */
@NullMarked
package dev.pgkq.app.run;

import org.jspecify.annotations.NullMarked;
