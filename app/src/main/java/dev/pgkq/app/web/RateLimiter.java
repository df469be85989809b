package dev.pgkq.app.web;

import java.net.InetAddress;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** How often somebody may ask: so many at once, and so many a second for good. Who asked longest ago is forgotten first. */
final class RateLimiter {
    private static final int MOST_CLIENTS = 10_000;

    private final double burst;
    private final double perSecond;
    private final InstantSource clock;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MOST_CLIENTS;
        }
    };

    private static final class Bucket {
        private double left;
        private long at;

        Bucket(double left, long at) {
            this.left = left;
            this.at = at;
        }
    }

    RateLimiter(double burst, double perSecond, InstantSource clock) {
        this.burst = burst;
        this.perSecond = perSecond;
        this.clock = clock;
    }

    /** Takes one; 0, or after how many seconds there is one again. */
    synchronized int take(String client) {
        long now = clock.millis();
        Bucket bucket = buckets.computeIfAbsent(client, _ -> new Bucket(burst, now));
        bucket.left = Math.min(burst, bucket.left + perSecond * Math.max(0, now - bucket.at) / 1e3);
        bucket.at = now;
        if (bucket.left >= 1) {
            bucket.left--;
            return 0;
        }
        return (int) Math.max(1, Math.ceil((1 - bucket.left) / perSecond));
    }

    /** Gives one back: it should not count. */
    synchronized void giveBack(String client) {
        Bucket bucket = buckets.get(client);
        if (bucket != null) {
            bucket.left = Math.min(burst, bucket.left + 1);
        }
    }

    /** One name for all addresses that a machine can choose from: of IPv6 addresses the network's part counts. */
    static String client(String address) {
        try {
            byte[] bytes =
                    InetAddress.ofLiteral(address.replaceAll("[\\[\\]]", "")).getAddress();
            return bytes.length == 16 ? Arrays.toString(Arrays.copyOf(bytes, 8)) : Arrays.toString(bytes);
        } catch (IllegalArgumentException e) {
            return "unknown";
        }
    }
}
