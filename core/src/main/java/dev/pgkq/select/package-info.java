/** The choice of the episodes to pay for, and of the weights with which they represent the whole batch. */
@NullMarked
package dev.pgkq.select;

import org.jspecify.annotations.NullMarked;
