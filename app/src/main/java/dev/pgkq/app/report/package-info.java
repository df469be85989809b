/**
 * Writes the report of a study for {@code pgkq plot}: figures, data files and an HTML page. All text read from disk is
 * escaped before it becomes part of the page.
 */
@NullMarked
package dev.pgkq.app.report;

import org.jspecify.annotations.NullMarked;
