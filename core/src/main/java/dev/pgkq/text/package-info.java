/** Text for people: errors that say what to do, suggestions for mistyped names, numbers, durations, line breaks. */
@NullMarked
package dev.pgkq.text;

import org.jspecify.annotations.NullMarked;
