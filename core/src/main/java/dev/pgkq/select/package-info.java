/** Which episodes are paid for, and with what weight they stand for the whole batch. */
@NullMarked
package dev.pgkq.select;

import org.jspecify.annotations.NullMarked;
