/** Episodes and where they come from. An episode has no rewards: nobody here can peek at what was not paid for. */
@NullMarked
package dev.pgkq.episode;

import org.jspecify.annotations.NullMarked;
