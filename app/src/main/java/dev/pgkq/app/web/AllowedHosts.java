package dev.pgkq.app.web;

import dev.pgkq.text.UserException;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The host names that requests may use. Another site can let its own name resolve to this server (DNS rebinding) and then
 * read everything through the user's browser, but those requests carry the other site's name.
 */
final class AllowedHosts {
    private static final Pattern WITH_PORT = Pattern.compile("(\\[[^\\]]*]|[^:]*):\\d*");

    private final Set<String> names = new HashSet<>();
    private final boolean loopback;

    /**
     * @param host address to listen at
     * @param more additional names, for instance that of a reverse proxy
     */
    AllowedHosts(String host, List<String> more) {
        this.loopback = isLoopback(host);
        names.add(normalized(host));
        names.add("localhost");
        names.add("127.0.0.1");
        names.add("::1");
        more.forEach(name -> names.add(normalized(name)));
    }

    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(normalized(host)).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new UserException("--host " + host + " is neither an address nor a host name of this machine", e);
        }
    }

    /** The host to print for users: one of this machine's addresses if the server listens on all of them. */
    static String displayHost(String host) {
        try {
            if (!InetAddress.getByName(normalized(host)).isAnyLocalAddress()) {
                return normalized(host);
            }
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                    .map(InetAddress::getHostAddress)
                    .findFirst()
                    .orElse("localhost");
        } catch (IOException e) {
            return normalized(host);
        }
    }

    /** Whether only programs on this machine can connect. */
    boolean loopback() {
        return loopback;
    }

    /** Whether a request may carry this {@code Host} header. The port is ignored, because a tunnel may change it. */
    boolean allows(String header) {
        String name = normalized(withoutPort(header));
        // DNS rebinding needs a name; an address cannot be rebound
        return names.contains(name) || (!loopback && isAddress(name));
    }

    private static boolean isAddress(String name) {
        return name.matches("\\d{1,3}(\\.\\d{1,3}){3}") || name.matches("[0-9a-f.]*(:[0-9a-f.]*){2,}");
    }

    private static String withoutPort(String header) {
        Matcher parts = WITH_PORT.matcher(header);
        return parts.matches() ? parts.group(1) : header;
    }

    private static String normalized(String host) {
        String name = host.strip().toLowerCase(Locale.ROOT);
        name = name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
