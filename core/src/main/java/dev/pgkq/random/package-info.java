/** Random numbers. Every stream is keyed by what it is for, so that no result depends on the order of threads. */
@NullMarked
package dev.pgkq.random;

import org.jspecify.annotations.NullMarked;
