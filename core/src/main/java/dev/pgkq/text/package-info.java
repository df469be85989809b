/** Words for people: errors that say what to do, suggestions for mistyped names. */
@NullMarked
package dev.pgkq.text;

import org.jspecify.annotations.NullMarked;
