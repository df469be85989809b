/**
 * The files of a run directory. What was written survives a crash: a file is either replaced as a whole or grows by complete
 * lines, and an incomplete last line does not corrupt the next one when the file is opened again. Nothing here knows how
 * training works.
 */
@NullMarked
package dev.pgkq.app.run;

import org.jspecify.annotations.NullMarked;
