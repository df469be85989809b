package dev.pgkq.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.BitSet;

/** A viewer of a run by server-sent events: connects, is disconnected, reconnects with the last event id, and counts rows. */
final class LiveViewer {
    private static final String SEQ = "\"seq\":";

    private final int port;
    private final String run;
    private final BitSet rows = new BitSet();
    private String lastId = "";
    private int connections;
    private Socket socket = new Socket();

    LiveViewer(int port, String run) {
        this.port = port;
        this.run = run;
    }

    /** Reads events in its own thread until {@link #disconnect}. HTTP/1.0 avoids chunked responses. */
    synchronized void connect() throws IOException {
        socket = new Socket("127.0.0.1", port);
        connections++;
        String last = lastId.isEmpty() ? "" : "Last-Event-ID: " + lastId + "\r\n";
        socket.getOutputStream()
                .write(("GET /api/events?runs=" + run + " HTTP/1.0\r\nHost: localhost\r\n" + last + "\r\n")
                        .getBytes(UTF_8));
        Socket connected = socket;
        Thread.ofVirtual().start(() -> read(connected));
    }

    void disconnect() throws IOException {
        Socket connected;
        synchronized (this) {
            connected = socket;
        }
        connected.close();
    }

    private void read(Socket connected) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(connected.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line);
            }
        } catch (IOException e) {
            // disconnected
        }
    }

    private synchronized void note(String line) {
        if (line.startsWith("id: ")) {
            lastId = line.substring(4);
        } else if (line.startsWith("data: ") && line.contains("\"row\":")) {
            int from = line.indexOf(SEQ) + SEQ.length();
            rows.set(Integer.parseInt(line.substring(from, line.indexOf(',', from))));
        }
    }

    /** The number of rows from 1 to {@code last} that have not arrived. */
    synchronized int missing(int last) {
        return last - rows.get(1, last + 1).cardinality();
    }

    synchronized int connections() {
        return connections;
    }
}
