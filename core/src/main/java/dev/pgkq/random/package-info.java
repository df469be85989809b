/** Random numbers. Every stream is keyed by its purpose, so that no result depends on the order of threads. */
@NullMarked
package dev.pgkq.random;

import org.jspecify.annotations.NullMarked;
