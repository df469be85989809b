package dev.pgkq.app.web;

import java.net.InetAddress;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** A token bucket per client: a burst, and a sustained rate per second. The least recently seen clients are evicted first. */
final class RateLimiter {
    private static final int MAX_CLIENTS = 10_000;

    private final double burst;
    private final double perSecond;
    private final InstantSource clock;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MAX_CLIENTS;
        }
    };

    private static final class Bucket {
        private double available;
        private long updated;

        Bucket(double available, long updated) {
            this.available = available;
            this.updated = updated;
        }
    }

    RateLimiter(double burst, double perSecond, InstantSource clock) {
        this.burst = burst;
        this.perSecond = perSecond;
        this.clock = clock;
    }

    /**
     * Takes one request from the client's bucket.
     *
     * @return 0 if it was available; otherwise the seconds until one is
     */
    synchronized int acquire(String client) {
        long now = clock.millis();
        Bucket bucket = buckets.computeIfAbsent(client, _ -> new Bucket(burst, now));
        bucket.available = Math.min(burst, bucket.available + perSecond * Math.max(0, now - bucket.updated) / 1e3);
        bucket.updated = now;
        if (bucket.available >= 1) {
            bucket.available--;
            return 0;
        }
        return (int) Math.max(1, Math.ceil((1 - bucket.available) / perSecond));
    }

    /** Returns a request to the bucket, so that it does not count. */
    synchronized void refund(String client) {
        Bucket bucket = buckets.get(client);
        if (bucket != null) {
            bucket.available = Math.min(burst, bucket.available + 1);
        }
    }

    /** The bucket of an address. IPv6 addresses count by their network part, because a machine can choose the rest. */
    static String clientKey(String address) {
        try {
            byte[] bytes =
                    InetAddress.ofLiteral(address.replaceAll("[\\[\\]]", "")).getAddress();
            return bytes.length == 16 ? Arrays.toString(Arrays.copyOf(bytes, 8)) : Arrays.toString(bytes);
        } catch (IllegalArgumentException e) {
            return "unknown";
        }
    }
}
