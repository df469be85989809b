/** How rewards of an episode become advantages of its steps, and the transpose of that map. */
@NullMarked
package dev.pgkq.credit;

import org.jspecify.annotations.NullMarked;
