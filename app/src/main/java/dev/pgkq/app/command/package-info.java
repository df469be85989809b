/** The commands: each reads its arguments, has the work done and tells the result. */
@NullMarked
package dev.pgkq.app.command;

import org.jspecify.annotations.NullMarked;
