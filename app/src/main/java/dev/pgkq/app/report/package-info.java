/**
 * What {@code pgkq plot} writes of a study: figures, tables to re-plot from, and a page to read. Everything that was read
 * from a disk is escaped before it becomes part of a page.
 */
@NullMarked
package dev.pgkq.app.report;

import org.jspecify.annotations.NullMarked;
