/** Many runs as one piece of work: which, in what order, how far they are. */
@NullMarked
package dev.pgkq.app.grid;

import org.jspecify.annotations.NullMarked;
