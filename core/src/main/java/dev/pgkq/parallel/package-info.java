/** Work shared out to the cores. What is computed never depends on how many there are. */
@NullMarked
package dev.pgkq.parallel;

import org.jspecify.annotations.NullMarked;
