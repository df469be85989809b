/**
 * Many runs side by side: finds them, sorts them into groups of repetitions and comparisons, and computes what a report
 * says of them. Run directories come in; groups and a {@link dev.pgkq.app.study.Summary} go out.
 */
@NullMarked
package dev.pgkq.app.study;

import org.jspecify.annotations.NullMarked;
