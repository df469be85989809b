/** What changes during training, saved and brought back. */
@NullMarked
package dev.pgkq.state;

import org.jspecify.annotations.NullMarked;
