package dev.pgkq.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.BitSet;

/** Somebody who watches a run by server-sent events: connects, is cut off, comes back with the last id, and counts rows. */
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

    /** Watches, in a thread of its own, until {@link #cutOff}. As HTTP/1.0, whose answers come in one piece. */
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

    void cutOff() throws IOException {
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
            // cut off
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

    /** How many of the rows 1 to {@code last} never came. */
    synchronized int missing(int last) {
        return last - rows.get(1, last + 1).cardinality();
    }

    synchronized int connections() {
        return connections;
    }
}
