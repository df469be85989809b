package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.app.web.WatchedRun.Update;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Server-sent events. Each viewer has a virtual thread, which sleeps until there are updates and sends those the viewer has
 * not yet received. A slow viewer blocks only its own thread; it then receives several events at once, from recent rows or
 * from the file, and loses none. After a disconnect, a viewer reconnects with the id of the last event it received.
 */
final class EventRoutes {
    static final int MAX_VIEWERS = 200;
    private static final int MAX_RUNS = 200;
    /** Also detects viewers that have disconnected. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    private static final int RETRY_SECONDS = 10;
    /** Size of the pieces in which events are written. */
    private static final int WRITE_BYTES = 64 << 10;

    private final ServedFolder folder;
    private final RunRegistry runs;
    private final RunWatcher watcher;
    private final ViewerLimit viewers;

    EventRoutes(ServedFolder folder, RunRegistry runs, RunWatcher watcher, int maxViewers) {
        this.folder = folder;
        this.runs = runs;
        this.watcher = watcher;
        this.viewers = new ViewerLimit(maxViewers);
    }

    /** Admits no more viewers, and waits for the connected ones to leave. */
    void awaitDisconnects(Duration timeout) {
        try {
            viewers.close(timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void addTo(RoutesConfig routes) {
        routes.get("/api/events", this::events);
    }

    private void events(Context request) throws IOException, InterruptedException {
        List<RunFeed> watched = watched(request);
        String session = AccessControl.session(request).id();
        String address = RateLimiter.clientKey(request.req().getRemoteAddr());
        switch (viewers.acquire(session, address)) {
            case ADMITTED -> {}
            case CLIENT_LIMIT ->
                throw HttpError.retryLater(429, "too many open pages; close some, then try again", RETRY_SECONDS);
            case FULL ->
                throw HttpError.retryLater(
                        503, "the maximum number of viewers is connected; try again later", RETRY_SECONDS);
        }
        try {
            request.contentType("text/event-stream; charset=utf-8").header("X-Accel-Buffering", "no");
            boolean withList = watched.isEmpty() || "all".equals(request.queryParam("states"));
            stream(request, watched, withList, new EventWriter(request.res().getOutputStream()));
        } catch (IOException e) {
            // the viewer has disconnected
        } finally {
            viewers.release(session, address);
        }
    }

    private List<RunFeed> watched(Context request) {
        String text = Optional.ofNullable(request.queryParam("runs")).orElse("");
        List<String> ids = text.isEmpty()
                ? List.of()
                : List.of(text.split(",")).stream().distinct().toList();
        if (ids.size() > MAX_RUNS) {
            throw HttpError.badRequest("at most " + MAX_RUNS + " runs can be watched at once");
        }
        return ids.stream().map(runs::byId).toList();
    }

    private void stream(Context request, List<RunFeed> watched, boolean withList, EventWriter writer)
            throws IOException, InterruptedException {
        List<WatchedRun> watchedRuns = new ArrayList<>();
        Optional<WatchedRunList> list = withList ? Optional.of(watcher.joinList()) : Optional.empty();
        try {
            watched.forEach(feed -> watchedRuns.add(watcher.join(feed)));
            List<Cursor> cursors = cursors(request, watchedRuns);
            long sent = 0;
            writer.begin();
            do {
                long seen = watcher.version();
                for (Update update : list.map(WatchedRunList::updates).orElse(List.of())) {
                    if (update.version() > sent) {
                        sent = update.version();
                        writer.event(update.event(), update.json());
                    }
                }
                cursors.forEach(cursor -> cursor.collect(writer::event));
                writer.flush(id(cursors));
                awaitUpdate(seen, writer);
            } while (!watcher.closed());
        } finally {
            watchedRuns.forEach(watcher::leave);
            list.ifPresent(_ -> watcher.leaveList());
        }
    }

    private void awaitUpdate(long seen, EventWriter writer) throws IOException, InterruptedException {
        while (!watcher.await(seen, HEARTBEAT) && !watcher.closed()) {
            writer.heartbeat();
        }
    }

    /** The viewer's position after a reconnect; otherwise after the rows that it reports to have. */
    private List<Cursor> cursors(Context request, List<WatchedRun> watchedRuns) {
        String last = Optional.ofNullable(request.header("Last-Event-ID"))
                .or(() -> Optional.ofNullable(request.queryParam("last")))
                .orElse("");
        String[] positions = last.split(",");
        String[] from =
                Optional.ofNullable(request.queryParam("from")).orElse("").split(",");
        List<Cursor> cursors = new ArrayList<>();
        for (int i = 0; i < watchedRuns.size(); i++) {
            if (positions.length == watchedRuns.size() && !last.isEmpty()) {
                cursors.add(Cursor.parse(positions[i], watchedRuns.get(i), folder));
            } else {
                boolean known = i < from.length && from[i].matches("\\d{1,9}");
                cursors.add(new Cursor(watchedRuns.get(i), folder, known ? Integer.parseInt(from[i]) : 0));
            }
        }
        return cursors;
    }

    private static String id(List<Cursor> cursors) {
        return cursors.stream().map(Cursor::toString).collect(Collectors.joining(","));
    }

    /**
     * Formats events as text. The data is JSON on one line, so that nothing in it can look like another event. Only the last
     * of the events sent together carries the id, so a viewer that disconnects before the id arrives receives all of them
     * again.
     */
    private static final class EventWriter {
        private final OutputStream out;
        private final StringBuilder text = new StringBuilder();
        private boolean open;

        EventWriter(OutputStream out) {
            this.out = out;
        }

        void begin() {
            text.append("retry: 1000\n\n");
        }

        void event(String name, String json) {
            text.append(open ? "\n" : "").append("event: ").append(name).append('\n');
            text.append("data: ").append(json).append('\n');
            open = true;
        }

        void heartbeat() throws IOException {
            text.append(":\n\n");
            flush("");
        }

        void flush(String id) throws IOException {
            if (open) {
                text.append(id.isEmpty() ? "" : "id: " + id + "\n").append('\n');
                open = false;
            }
            byte[] bytes = text.toString().getBytes(UTF_8);
            text.setLength(0);
            for (int from = 0; from < bytes.length; from += WRITE_BYTES) {
                out.write(bytes, from, Math.min(WRITE_BYTES, bytes.length - from));
            }
            out.flush();
        }
    }
}
