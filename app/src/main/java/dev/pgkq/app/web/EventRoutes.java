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
 * Server-sent events. A viewer has a virtual thread of his own, which sleeps until there is something new, takes what is new
 * to him and sends it. If he is slow, only that thread waits; he then gets several events at once, from the rows that are
 * kept or from the file, and none is lost. Who is cut off comes back with the id of the last event he got.
 */
final class EventRoutes {
    static final int MOST_VIEWERS = 200;
    private static final int MOST_RUNS = 200;
    /** Also finds out who is gone. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    private static final int RETRY_SECONDS = 10;
    /** Rows are sent in pieces of about this size. */
    private static final int PIECE = 64 << 10;

    private final ServedFolder folder;
    private final RunRegistry runs;
    private final RunWatcher watcher;
    private final ViewerLimit places;

    EventRoutes(ServedFolder folder, RunRegistry runs, RunWatcher watcher, int mostViewers) {
        this.folder = folder;
        this.runs = runs;
        this.watcher = watcher;
        this.places = new ViewerLimit(mostViewers);
    }

    /** Waits until all viewers have left, but not long; nobody comes in any more. */
    void awaitEmpty(Duration time) {
        try {
            places.close(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void addTo(RoutesConfig routes) {
        routes.get("/api/events", this::events);
    }

    private void events(Context request) throws IOException, InterruptedException {
        List<RunFeed> wanted = wanted(request);
        String session = AccessControl.visitor(request).session();
        String address = RateLimiter.client(request.req().getRemoteAddr());
        switch (places.take(session, address)) {
            case TAKEN -> {}
            case HAS_HIS_SHARE ->
                throw HttpError.later(
                        429,
                        "you watch as often at once as one viewer may; close some pages, then try again",
                        RETRY_SECONDS);
            case FULL ->
                throw HttpError.later(
                        503, "as many viewers as this server takes are connected; try again later", RETRY_SECONDS);
        }
        try {
            request.contentType("text/event-stream; charset=utf-8").header("X-Accel-Buffering", "no");
            boolean withList = wanted.isEmpty() || "all".equals(request.queryParam("states"));
            stream(request, wanted, withList, new Lines(request.res().getOutputStream()));
        } catch (IOException e) {
            // He is gone; that is how one notices.
        } finally {
            places.leave(session, address);
        }
    }

    private List<RunFeed> wanted(Context request) {
        String text = Optional.ofNullable(request.queryParam("runs")).orElse("");
        List<String> ids = text.isEmpty()
                ? List.of()
                : List.of(text.split(",")).stream().distinct().toList();
        if (ids.size() > MOST_RUNS) {
            throw HttpError.badRequest("at most " + MOST_RUNS + " runs can be watched at once");
        }
        return ids.stream().map(runs::named).toList();
    }

    private void stream(Context request, List<RunFeed> wanted, boolean withList, Lines lines)
            throws IOException, InterruptedException {
        List<WatchedRun> joined = new ArrayList<>();
        Optional<WatchedRunList> list = withList ? Optional.of(watcher.joinList()) : Optional.empty();
        try {
            wanted.forEach(feed -> joined.add(watcher.join(feed)));
            List<Cursor> cursors = cursors(request, joined);
            long told = 0;
            lines.begin();
            do {
                long seen = watcher.version();
                for (Update news : list.map(WatchedRunList::news).orElse(List.of())) {
                    if (news.version() > told) {
                        told = news.version();
                        lines.event(news.event(), news.json());
                    }
                }
                cursors.forEach(cursor -> cursor.collect(lines::event));
                lines.flush(id(cursors));
                rest(seen, lines);
            } while (!watcher.closed());
        } finally {
            joined.forEach(watcher::leave);
            list.ifPresent(_ -> watcher.leaveList());
        }
    }

    private void rest(long seen, Lines lines) throws IOException, InterruptedException {
        while (!watcher.await(seen, HEARTBEAT) && !watcher.closed()) {
            lines.heartbeat();
        }
    }

    /** Where the viewer was, if he comes back; otherwise behind the rows that he says he has. */
    private List<Cursor> cursors(Context request, List<WatchedRun> joined) {
        String last = Optional.ofNullable(request.header("Last-Event-ID"))
                .or(() -> Optional.ofNullable(request.queryParam("last")))
                .orElse("");
        String[] places = last.split(",");
        String[] from =
                Optional.ofNullable(request.queryParam("from")).orElse("").split(",");
        List<Cursor> cursors = new ArrayList<>();
        for (int i = 0; i < joined.size(); i++) {
            if (places.length == joined.size() && !last.isEmpty()) {
                cursors.add(Cursor.parse(places[i], joined.get(i), folder));
            } else {
                boolean known = i < from.length && from[i].matches("\\d{1,9}");
                cursors.add(new Cursor(joined.get(i), folder, known ? Integer.parseInt(from[i]) : 0));
            }
        }
        return cursors;
    }

    private static String id(List<Cursor> cursors) {
        return cursors.stream().map(Cursor::toString).collect(Collectors.joining(","));
    }

    /**
     * Events as text. The data is JSON on one line, so that nothing in it can look like another event. The last of those that
     * are sent together carries the id: who is cut off before it gets them again.
     */
    private static final class Lines {
        private final OutputStream out;
        private final StringBuilder text = new StringBuilder();
        private boolean open;

        Lines(OutputStream out) {
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
            for (int from = 0; from < bytes.length; from += PIECE) {
                out.write(bytes, from, Math.min(PIECE, bytes.length - from));
            }
            out.flush();
        }
    }
}
