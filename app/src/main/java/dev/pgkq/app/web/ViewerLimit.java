package dev.pgkq.app.web;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Limits the number of connected viewers, in total and for each client, so that no single client can use up all
 * connections: one session may hold a fifth of them, one address without a session half, one address in total three quarters.
 * Sessions are easy to create and all users behind a proxy share an address, so neither limit is enough alone. Together they
 * leave room for users with a session beside any number without, and for other addresses beside any number of sessions.
 */
final class ViewerLimit {
    private final int max;
    private final Map<String, Integer> held = new HashMap<>();
    private int total;
    private boolean closed;

    ViewerLimit(int max) {
        this.max = max;
    }

    /** The outcome of a request to connect. */
    enum Admission {
        ADMITTED,
        /** The session or address already has its maximum. */
        CLIENT_LIMIT,
        /** All connections are in use, or the server is closing. */
        FULL
    }

    /**
     * Requests a connection. One that was admitted must be {@linkplain #release released}.
     *
     * @param session id of the session; empty for none
     * @param address the {@linkplain RateLimiter#clientKey client's key}
     */
    synchronized Admission acquire(String session, String address) {
        if (closed || total >= max) {
            return Admission.FULL;
        }
        int share = session.isEmpty() ? max / 2 : max / 5;
        if (count(sessionKey(session, address)) >= Math.max(1, share)
                || count(addressKey(address)) >= Math.max(1, 3 * max / 4)) {
            return Admission.CLIENT_LIMIT;
        }
        total++;
        held.merge(sessionKey(session, address), 1, Integer::sum);
        held.merge(addressKey(address), 1, Integer::sum);
        return Admission.ADMITTED;
    }

    /** Releases a connection, given the arguments it was acquired with. */
    synchronized void release(String session, String address) {
        total--;
        decrement(sessionKey(session, address));
        decrement(addressKey(address));
        notifyAll();
    }

    /** Admits no more viewers, and waits until all connections are released or the time is up. */
    synchronized void close(Duration timeout) throws InterruptedException {
        closed = true;
        long end = System.nanoTime() + timeout.toNanos();
        for (long remaining = timeout.toNanos(); total > 0 && remaining > 0; remaining = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, remaining);
        }
    }

    private int count(String key) {
        return held.getOrDefault(key, 0);
    }

    private void decrement(String key) {
        held.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }

    private static String sessionKey(String session, String address) {
        return session.isEmpty() ? "without a session at " + address : "session " + session;
    }

    private static String addressKey(String address) {
        return "address " + address;
    }
}
