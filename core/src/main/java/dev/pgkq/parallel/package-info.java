/** Work on several cores at once. Results never depend on the number of cores. */
@NullMarked
package dev.pgkq.parallel;

import org.jspecify.annotations.NullMarked;
