package dev.pgkq.app.web;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The places for viewers, and how many of them one may have, so that nobody can take them all: a fifth in one session, half
 * without a session from one address, three quarters from one address. SessionCookies are cheap to begin and all who come through a
 * proxy share an address, so neither limit does alone. Whoever has a session finds a place beside those without, and who
 * comes from another address beside any number of sessions.
 */
final class ViewerLimit {
    private final int all;
    private final Map<String, Integer> held = new HashMap<>();
    private int taken;
    private boolean closed;

    ViewerLimit(int all) {
        this.all = all;
    }

    /** What came of asking for a place. */
    enum Answer {
        TAKEN,
        /** The same viewer has as many as one may have. */
        HAS_HIS_SHARE,
        FULL
    }

    /**
     * Takes a place; one that was taken is to be {@linkplain #leave left}.
     *
     * @param session empty for none
     * @param address one name for all that a machine can choose from
     */
    synchronized Answer take(String session, String address) {
        if (closed || taken >= all) {
            return Answer.FULL;
        }
        int own = session.isEmpty() ? all / 2 : all / 5;
        if (count(who(session, address)) >= Math.max(1, own) || count(from(address)) >= Math.max(1, 3 * all / 4)) {
            return Answer.HAS_HIS_SHARE;
        }
        taken++;
        held.merge(who(session, address), 1, Integer::sum);
        held.merge(from(address), 1, Integer::sum);
        return Answer.TAKEN;
    }

    /** Gives a place back, by the words that it was taken with. */
    synchronized void leave(String session, String address) {
        taken--;
        drop(who(session, address));
        drop(from(address));
        notifyAll();
    }

    /** Lets nobody in any more, and waits until all have left, but not longer than that. */
    synchronized void close(Duration patience) throws InterruptedException {
        closed = true;
        long end = System.nanoTime() + patience.toNanos();
        for (long left = patience.toNanos(); taken > 0 && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private int count(String key) {
        return held.getOrDefault(key, 0);
    }

    private void drop(String key) {
        held.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }

    private static String who(String session, String address) {
        return session.isEmpty() ? "without a session at " + address : "session " + session;
    }

    private static String from(String address) {
        return "address " + address;
    }
}
