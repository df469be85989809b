package dev.pgkq.app.command;

import dev.pgkq.app.trace.TraceReader;
import dev.pgkq.rewards.people.Item;
import dev.pgkq.rewards.people.PeopleQueue;
import dev.pgkq.rewards.people.RaterName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** Ann, who rates whatever is in the queue of a run with 1, 2, 3 and so on until she is closed. */
final class QuickRater implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Path run;
    private final RaterName ann = new RaterName("Ann");
    private final List<Shown> shown = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean over;

    /** What was on disk of an episode when it was rated. */
    record Shown(Item.Place place, boolean states, boolean pictures) {}

    private QuickRater(Path run) {
        this.run = run;
        this.thread = Thread.ofVirtual().unstarted(() -> {
            while (!over) {
                rateOne();
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        });
    }

    /** Starts to rate; the run may be started later. */
    static QuickRater of(Path run) {
        QuickRater rater = new QuickRater(run);
        rater.thread.start();
        return rater;
    }

    int ratings() {
        return shown.size();
    }

    /** What was seen of the rated episodes, in the order of their ratings. */
    List<Shown> shown() {
        return shown;
    }

    private void rateOne() {
        try (PeopleQueue queue =
                PeopleQueue.openExisting(run, InstantSource.system()).orElse(null)) {
            if (queue != null && queue.next(ann) instanceof PeopleQueue.Next.Show(Item item, Duration lease)) {
                Item.Place place = item.first();
                TraceReader trace = TraceReader.of(run);
                shown.add(new Shown(
                        place,
                        trace.episode(place.iteration(), place.episode()).isPresent(),
                        trace.hasFrames(place.iteration(), place.episode())));
                queue.rate(ann, item.key(), shown.size());
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        over = true;
        thread.join();
    }
}
