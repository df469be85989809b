package dev.pgkq.app.web;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Bounds the number of connections, in total and for each client, and the time that a connection has to deliver a request. Beyond
 * a bound, the connection that has been without a request for the longest time is closed. So idle and slow connections do not
 * keep new clients out, whatever their number.
 *
 * <p>A request without a body is delivered with its headers. A request with a body has to be answered within the same time: bodies
 * are small, and the answer takes milliseconds. Other answers, such as event streams, may last.
 */
final class ConnectionLimits implements Connection.Listener, HttpConfiguration.Customizer {
    private final int max;
    private final int maxPerClient;
    private final Duration deadline;
    private final Scheduler scheduler;
    /** In the order in which they were opened or finished a request. */
    private final Map<Connection, Held> connections = new LinkedHashMap<>();

    /** An open connection. */
    private static final class Held {
        /** The {@linkplain RateLimiter#clientKey client's key}. */
        private final String client;
        /** Closes it at the deadline. */
        private Scheduler.Task closing;
        /** Requests being answered; the next one may start before the end of an answer is reported. */
        private int active;

        Held(String client, Scheduler.Task closing) {
            this.client = client;
            this.closing = closing;
        }
    }

    private ConnectionLimits(Server server, int max, int maxPerClient, Duration deadline) {
        this.max = max;
        this.maxPerClient = maxPerClient;
        this.deadline = deadline;
        this.scheduler = server.getScheduler();
    }

    /** Applies the limits to all connectors that a server has when it starts. */
    static void apply(Server server, int max, int maxPerClient, Duration deadline) {
        ConnectionLimits limits = new ConnectionLimits(server, max, maxPerClient, deadline);
        server.addEventListener(new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarting(LifeCycle starting) {
                for (Connector connector : server.getConnectors()) {
                    connector.addEventListener(limits);
                    connector
                            .getConnectionFactory(HttpConnectionFactory.class)
                            .getHttpConfiguration()
                            .addCustomizer(limits);
                }
            }
        });
    }

    @Override
    public void onOpened(Connection connection) {
        String client = connection.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress address
                ? RateLimiter.clientKey(address.getAddress().getHostAddress())
                : "";
        synchronized (this) {
            connections.put(connection, new Held(client, deadline(connection)));
        }
        excess(client).ifPresent(ConnectionLimits::close);
    }

    @Override
    public synchronized void onClosed(Connection connection) {
        Held held = connections.remove(connection);
        if (held != null) {
            held.closing.cancel();
        }
    }

    /** Called when the headers of a request are there. */
    @Override
    public Request customize(Request request, HttpFields.Mutable headers) {
        Connection connection = request.getConnectionMetaData().getConnection();
        boolean hasBody = request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)
                || request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) > 0;
        synchronized (this) {
            Held held = connections.get(connection);
            if (held == null) {
                return request;
            }
            held.active++;
            held.closing.cancel();
            if (hasBody) {
                held.closing = deadline(connection);
            }
        }
        Request.addCompletionListener(request, _ -> finished(connection));
        return request;
    }

    private synchronized void finished(Connection connection) {
        Held held = connections.get(connection);
        if (held != null && --held.active == 0) {
            held.closing.cancel();
            held.closing = deadline(connection);
            connections.remove(connection);
            connections.put(connection, held); // now the last in order
        }
    }

    private Scheduler.Task deadline(Connection connection) {
        return scheduler.schedule(() -> close(connection), deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The connection to close because there are too many. One is always idle: the newest. */
    private synchronized Optional<Connection> excess(String client) {
        long ofClient = connections.values().stream()
                .filter(held -> held.client.equals(client))
                .count();
        if (ofClient > maxPerClient) {
            return longestIdle(held -> held.client.equals(client));
        }
        return connections.size() > max ? longestIdle(_ -> true) : Optional.empty();
    }

    private Optional<Connection> longestIdle(Predicate<Held> among) {
        return connections.entrySet().stream()
                .filter(entry -> entry.getValue().active == 0 && among.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static void close(Connection connection) {
        connection.getEndPoint().close();
    }
}
