package dev.pgkq.app.web;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A run that somebody looks at, and what there is to tell of it beside its rows. Each thing to tell has a version, and a
 * viewer remembers which he was told: nothing is queued for anybody. The watcher looks, and who comes first; many read.
 */
final class WatchedRun {
    private final RunFeed feed;
    private final ServedTrace traces;
    private final Map<String, Update> current = new LinkedHashMap<>();
    private final Map<Integer, Update> iterations = new TreeMap<>();
    private String traceStamp = "";
    private Map<Integer, Long> written = Map.of();
    private long version;

    /**
     * Something to tell.
     *
     * @param version larger than that of what was told before
     * @param event its name
     * @param json its data
     * @param iteration which it is about; 0 if none
     */
    record Update(long version, String event, String json, int iteration) {}

    WatchedRun(RunFeed feed, ServedFolder folder) {
        this.feed = feed;
        this.traces = new ServedTrace(folder, feed.run());
    }

    RunFeed feed() {
        return feed;
    }

    /** Looks at the files; true if there is something new. */
    boolean look() {
        boolean changed = feed.refresh();
        synchronized (traces) { // apart from the lock of those who read
            return lookAtTrace() || changed;
        }
    }

    /** Notes the newest of something of which only the newest counts; true if it is new. */
    synchronized boolean tell(String event, String json) {
        Update before = current.get(event);
        if (before != null && before.json.equals(json)) {
            return false;
        }
        current.put(event, new Update(++version, event, json, 0));
        return true;
    }

    private boolean lookAtTrace() {
        String stamp = modified(traces.iterationFiles()) + " " + modified(traces.episodeFiles());
        if (stamp.equals(traceStamp)) {
            return false;
        }
        traceStamp = stamp;
        int[] known = traces.iterations();
        Set<Integer> kept = Arrays.stream(traces.withEpisodes()).boxed().collect(Collectors.toSet());
        Set<Integer> all = Arrays.stream(known).boxed().collect(Collectors.toSet());
        all.addAll(kept);
        Map<Integer, Long> newest = new TreeMap<>();
        // What is written again, when its rewards are known, is one of the last.
        all.stream().sorted((a, b) -> b - a).limit(2).forEach(iteration -> newest.put(iteration, writtenAt(iteration)));
        return note(all, kept, newest);
    }

    private synchronized boolean note(Set<Integer> all, Set<Integer> kept, Map<Integer, Long> newest) {
        boolean changed = iterations.keySet().retainAll(all);
        for (int iteration : all) {
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("run", feed.run().id());
            data.put("iteration", iteration);
            data.put("episodes", kept.contains(iteration));
            String json = Json.write(data);
            Update before = iterations.get(iteration);
            boolean again = newest.containsKey(iteration)
                    && !newest.get(iteration).equals(written.getOrDefault(iteration, newest.get(iteration)));
            if (before == null || !before.json.equals(json) || again) {
                iterations.put(iteration, new Update(++version, "trace", json, iteration));
                changed = true;
            }
        }
        written = newest;
        return changed;
    }

    private long writtenAt(int iteration) {
        String number = String.format(Locale.ROOT, "%06d", iteration);
        long latest = 0;
        for (Path folder : List.of(traces.iterationFiles(), traces.episodeFiles())) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, number + "*")) {
                for (Path file : files) {
                    latest = Math.max(latest, modified(file));
                }
            } catch (IOException e) {
                // not there
            }
        }
        return latest;
    }

    private static long modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).to(TimeUnit.MICROSECONDS);
        } catch (IOException e) {
            return 0;
        }
    }

    /** What is newer than that version; of the iterations, those from one on. */
    synchronized List<Update> after(long told, int iteration) {
        return Stream.concat(
                        current.values().stream(),
                        iterations.entrySet().stream()
                                .filter(entry -> entry.getKey() >= iteration)
                                .map(Map.Entry::getValue))
                .filter(news -> news.version > told)
                .toList();
    }
}
