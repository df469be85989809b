package dev.pgkq.batch;

import dev.pgkq.episode.Episode;
import dev.pgkq.parallel.Workers;
import java.util.List;

/** Batches for tests. */
public final class Batches {
    private Batches() {}

    /** A batch that nobody watches. */
    public static EpisodeBatch of(List<Episode> episodes) {
        return of(episodes, new Workers(1));
    }

    public static EpisodeBatch of(List<Episode> episodes, Workers workers) {
        return new LocalBatch(episodes, workers);
    }
}
