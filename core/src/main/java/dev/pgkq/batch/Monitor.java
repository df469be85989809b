package dev.pgkq.batch;

import dev.pgkq.episode.Episode;

/** The return that is watched, of any episode. It costs nothing, and nothing may learn from it. */
@FunctionalInterface
public interface Monitor extends AutoCloseable {
    double of(Episode episode);

    @Override
    default void close() {}
}
