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
 * A run that has viewers, with its updates other than rows of metrics. Each update has a version, and each viewer's cursor
 * remembers the last version it has sent, so there are no queues per viewer. The watcher and the first viewer refresh it;
 * all viewers read it.
 */
final class WatchedRun {
    private final RunFeed feed;
    private final ServedTrace trace;
    private final Map<String, Update> latest = new LinkedHashMap<>();
    private final Map<Integer, Update> iterations = new TreeMap<>();
    private String traceStamp = "";
    private Map<Integer, Long> modified = Map.of();
    private long version;

    /**
     * An update to send to viewers.
     *
     * @param version larger than the versions of all earlier updates
     * @param event name of the event
     * @param json data of the event
     * @param iteration the iteration it is about; 0 if none
     */
    record Update(long version, String event, String json, int iteration) {}

    WatchedRun(RunFeed feed, ServedFolder folder) {
        this.feed = feed;
        this.trace = new ServedTrace(folder, feed.run());
    }

    RunFeed feed() {
        return feed;
    }

    /** Reads new content of the files; true if there is any. */
    boolean refresh() {
        boolean changed = feed.refresh();
        synchronized (trace) { // not the lock that readers use
            return refreshTrace() || changed;
        }
    }

    /** Publishes an event that replaces the earlier one of its name; true if its data changed. */
    synchronized boolean publish(String event, String json) {
        Update previous = latest.get(event);
        if (previous != null && previous.json.equals(json)) {
            return false;
        }
        latest.put(event, new Update(++version, event, json, 0));
        return true;
    }

    private boolean refreshTrace() {
        String stamp = modified(trace.iterationFiles()) + " " + modified(trace.episodeFiles());
        if (stamp.equals(traceStamp)) {
            return false;
        }
        traceStamp = stamp;
        int[] known = trace.iterations();
        Set<Integer> kept = Arrays.stream(trace.withEpisodes()).boxed().collect(Collectors.toSet());
        Set<Integer> all = Arrays.stream(known).boxed().collect(Collectors.toSet());
        all.addAll(kept);
        Map<Integer, Long> newest = new TreeMap<>();
        // files are rewritten when rewards arrive, which concerns only the latest iterations
        all.stream()
                .sorted((a, b) -> b - a)
                .limit(2)
                .forEach(iteration -> newest.put(iteration, lastModified(iteration)));
        return publishIterations(all, kept, newest);
    }

    private synchronized boolean publishIterations(Set<Integer> all, Set<Integer> kept, Map<Integer, Long> newest) {
        boolean changed = iterations.keySet().retainAll(all);
        for (int iteration : all) {
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("run", feed.run().id());
            data.put("iteration", iteration);
            data.put("episodes", kept.contains(iteration));
            String json = Json.write(data);
            Update previous = iterations.get(iteration);
            boolean rewritten = newest.containsKey(iteration)
                    && !newest.get(iteration).equals(modified.getOrDefault(iteration, newest.get(iteration)));
            if (previous == null || !previous.json.equals(json) || rewritten) {
                iterations.put(iteration, new Update(++version, "trace", json, iteration));
                changed = true;
            }
        }
        modified = newest;
        return changed;
    }

    private long lastModified(int iteration) {
        String number = String.format(Locale.ROOT, "%06d", iteration);
        long latest = 0;
        for (Path folder : List.of(trace.iterationFiles(), trace.episodeFiles())) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, number + "*")) {
                for (Path file : files) {
                    latest = Math.max(latest, modified(file));
                }
            } catch (IOException e) {
                // does not exist
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

    /** The updates after a version; of those about iterations, only from the given one on. */
    synchronized List<Update> after(long seen, int iteration) {
        return Stream.concat(
                        latest.values().stream(),
                        iterations.entrySet().stream()
                                .filter(entry -> entry.getKey() >= iteration)
                                .map(Map.Entry::getValue))
                .filter(update -> update.version > seen)
                .toList();
    }
}
