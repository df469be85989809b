/** Side-by-side measurements against peers; nothing depends on this module, and it may depend on everything. */
@NullMarked
package dev.pgkq.benchmarks;

import org.jspecify.annotations.NullMarked;
