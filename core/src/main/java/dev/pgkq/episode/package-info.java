/** Episodes and how they are sampled in this process. An episode has no rewards. */
@NullMarked
package dev.pgkq.episode;

import org.jspecify.annotations.NullMarked;
