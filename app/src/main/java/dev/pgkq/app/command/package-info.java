/** The commands: each reads its arguments, delegates the work and prints the result. */
@NullMarked
package dev.pgkq.app.command;

import org.jspecify.annotations.NullMarked;
