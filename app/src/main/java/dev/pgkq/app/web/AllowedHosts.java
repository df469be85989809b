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
 * The names under which the server may be addressed. A page of another site can have its own name point here (DNS rebinding)
 * and then read what it likes, with the visitor's browser as a bridge; but its requests carry that name.
 */
final class AllowedHosts {
    private static final Pattern WITH_PORT = Pattern.compile("(\\[[^\\]]*]|[^:]*):\\d*");

    private final Set<String> names = new HashSet<>();
    private final boolean loopback;

    /**
     * @param host address to listen at
     * @param more names that people use, for instance that of a reverse proxy
     */
    AllowedHosts(String host, List<String> more) {
        this.loopback = isLoopback(host);
        names.add(plain(host));
        names.add("localhost");
        names.add("127.0.0.1");
        names.add("::1");
        more.forEach(name -> names.add(plain(name)));
    }

    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(plain(host)).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new UserException("--host " + host + " is not an address of this machine, nor a name of one", e);
        }
    }

    /** The address to tell people: one of this machine's, if it listens at all of them. */
    static String shown(String host) {
        try {
            if (!InetAddress.getByName(plain(host)).isAnyLocalAddress()) {
                return plain(host);
            }
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                    .map(InetAddress::getHostAddress)
                    .findFirst()
                    .orElse("localhost");
        } catch (IOException e) {
            return plain(host);
        }
    }

    /** Whether only programs on this machine can come. */
    boolean loopback() {
        return loopback;
    }

    /** Whether a request may say that it is for this host; the port does not matter, which a tunnel may change. */
    boolean allows(String header) {
        String name = plain(withoutPort(header));
        // An address is no name that somebody could have point here.
        return names.contains(name) || (!loopback && isAddress(name));
    }

    private static boolean isAddress(String name) {
        return name.matches("\\d{1,3}(\\.\\d{1,3}){3}") || name.matches("[0-9a-f.]*(:[0-9a-f.]*){2,}");
    }

    private static String withoutPort(String header) {
        Matcher parts = WITH_PORT.matcher(header);
        return parts.matches() ? parts.group(1) : header;
    }

    private static String plain(String host) {
        String name = host.strip().toLowerCase(Locale.ROOT);
        name = name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
