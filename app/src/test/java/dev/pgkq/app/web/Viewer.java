package dev.pgkq.app.web;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** Reads server-sent events as a browser does, and remembers the last id. */
final class Viewer implements AutoCloseable {
    private static final long PATIENCE_MILLIS = 120_000;

    private final List<Event> events = new ArrayList<>();
    private final HttpURLConnection connection;
    private final int status;
    private String lastId;
    private final boolean numbered;
    private boolean settled;
    private boolean ended;

    record Event(String name, JsonNode data) {}

    /** @param lastId of an earlier connection; empty for none */
    Viewer(Dashboard dashboard, String query, String lastId) throws IOException {
        this.lastId = lastId;
        this.numbered = query.contains("runs="); // the list has no ids
        URI address = URI.create("http://127.0.0.1:" + dashboard.port() + "/api/events" + query);
        connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setRequestProperty("Accept", "text/event-stream");
        if (!lastId.isEmpty()) {
            connection.setRequestProperty("Last-Event-ID", lastId);
        }
        status = connection.getResponseCode();
        if (status == 200) {
            InputStream in = connection.getInputStream();
            Thread.ofPlatform().daemon().start(() -> read(in));
        }
    }

    int status() {
        return status;
    }

    String header(String name) {
        return String.valueOf(connection.getHeaderField(name));
    }

    private void read(InputStream in) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
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
                    add(new Event(name, Client.parse(data)), id);
                    name = "";
                    data = "";
                    id = "";
                }
            }
        } catch (IOException | RuntimeException e) {
            // closed
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

    /** The numbers of the rows so far, in the order in which they came. */
    List<Integer> rows() {
        return events().stream()
                .filter(event -> event.name().equals("row"))
                .map(event -> event.data().path("seq").asInt())
                .toList();
    }

    /** Waits until what came so far is like that, and the id of the last of it is known: events that come together have one. */
    synchronized void await(Predicate<List<Event>> enough) throws InterruptedException, TimeoutException {
        long end = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!enough.test(events) || (numbered && !settled)) {
            long left = end - System.currentTimeMillis();
            if (left <= 0 || ended) {
                throw new TimeoutException("only these came: " + events);
            }
            wait(left);
        }
    }

    void awaitRow(int seq) throws InterruptedException, TimeoutException {
        await(events -> events.stream()
                .anyMatch(event -> event.name().equals("row")
                        && event.data().path("seq").asInt() == seq));
    }

    /** Waits until the server ends the stream. */
    synchronized boolean awaitEnd() throws InterruptedException {
        long end = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!ended && System.currentTimeMillis() < end) {
            wait(100);
        }
        return ended;
    }

    @Override
    public void close() {
        connection.disconnect();
    }
}
