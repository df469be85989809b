package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** Reads server-sent events as a browser does, and remembers the last id. */
final class EventStreamClient implements AutoCloseable {
    private static final long TIMEOUT_MILLIS = 120_000;

    private final List<Event> events = new ArrayList<>();
    private final Map<String, String> headers = new HashMap<>();
    private final Socket socket;
    private final int status;
    private String lastId;
    private final boolean numbered;
    private boolean settled;
    private boolean ended;

    record Event(String name, JsonNode data) {}

    /** @param lastId last event id of an earlier connection; empty for none */
    EventStreamClient(Dashboard dashboard, String query, String lastId) throws IOException {
        this(dashboard, query, lastId, "");
    }

    /** @param session cookie; empty for none */
    EventStreamClient(Dashboard dashboard, String query, String lastId, String cookie) throws IOException {
        this.lastId = lastId;
        this.numbered = query.contains("runs="); // the stream of the list has no ids
        socket = new Socket("127.0.0.1", dashboard.port());
        String last = (lastId.isEmpty() ? "" : "Last-Event-ID: " + lastId + "\r\n")
                + (cookie.isEmpty() ? "" : "Cookie: " + cookie + "\r\n");
        // HTTP/1.0, so that the response is not chunked
        socket.getOutputStream()
                .write(("GET /api/events" + query + " HTTP/1.0\r\nHost: localhost\r\n" + last + "\r\n")
                        .getBytes(UTF_8));
        BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
        status = Integer.parseInt(lines.readLine().split(" ")[1]);
        for (String line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {
            headers.put(line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 2));
        }
        if (status == 200) {
            Thread.ofVirtual().start(() -> read(lines));
        }
    }

    int status() {
        return status;
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    private void read(BufferedReader lines) {
        try {
            String name = "";
            String data = "";
            String id = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    name = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.isEmpty() && !data.isEmpty()) {
                    add(new Event(name, DashboardClient.parse(data)), id);
                    name = "";
                    data = "";
                    id = "";
                }
            }
        } catch (IOException e) {
            // disconnected
        } finally {
            end();
        }
    }

    private synchronized void add(Event event, String id) {
        events.add(event);
        lastId = id.isEmpty() ? lastId : id;
        settled = !id.isEmpty();
        notifyAll();
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    synchronized String lastId() {
        return lastId;
    }

    synchronized List<Event> events() {
        return List.copyOf(events);
    }

    /** The sequence numbers of the rows received so far, in order. */
    List<Integer> rows() {
        return events().stream()
                .filter(event -> event.name().equals("row"))
                .map(event -> event.data().path("seq").asInt())
                .toList();
    }

    /** Waits until the events satisfy the condition and the id of the last is known: only the last of a group of events has one. */
    synchronized void await(Predicate<List<Event>> enough) throws InterruptedException, TimeoutException {
        long end = System.currentTimeMillis() + TIMEOUT_MILLIS;
        while (!enough.test(events) || (numbered && !settled)) {
            long left = end - System.currentTimeMillis();
            if (left <= 0 || ended) {
                throw new TimeoutException("received only: " + events);
            }
            wait(left);
        }
    }

    void awaitRow(int seq) throws InterruptedException, TimeoutException {
        await(events -> events.stream()
                .anyMatch(event ->
                        event.name().equals("row") && event.data().path("seq").asInt() == seq));
    }

    /** Waits until the server ends the stream. */
    synchronized boolean awaitEnd() throws InterruptedException {
        long end = System.currentTimeMillis() + TIMEOUT_MILLIS;
        while (!ended && System.currentTimeMillis() < end) {
            wait(100);
        }
        return ended;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
