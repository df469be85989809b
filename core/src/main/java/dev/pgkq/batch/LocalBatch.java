package dev.pgkq.batch;

import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.kernel.KernelView;
import dev.pgkq.parallel.Workers;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch in the memory of this process. */
public final class LocalBatch implements EpisodeBatch {
    private final List<Episode> episodes;
    private final Workers workers;
    private @Nullable Steps steps;

    /**
     * Creates a batch of these episodes.
     *
     * @param episodes the episodes, in the order of their indices
     * @param workers compute Gram matrices
     */
    public LocalBatch(List<Episode> episodes, Workers workers) {
        this.episodes = episodes;
        this.workers = workers;
    }

    @Override
    public int size() {
        return episodes.size();
    }

    @Override
    public int length(int episode) {
        return episodes.get(episode).length();
    }

    @Override
    public Ending ending(int episode) {
        return episodes.get(episode).ending();
    }

    @Override
    public Steps steps() {
        Steps known = steps;
        if (known == null) {
            known = Steps.of(episodes);
            steps = known;
        }
        return known;
    }

    @Override
    public List<Episode> take(int... wanted) {
        return Arrays.stream(wanted).mapToObj(episodes::get).toList();
    }

    @Override
    public boolean isHere() {
        return true;
    }

    @Override
    public KernelView view(EpisodicKernel kernel) {
        return kernel.view(steps(), workers);
    }
}
