package dev.pgkq.rewards.ledger;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The owner of claims in a ledger: one process that opened the ledger once.
 *
 * <p>A dead process does not renew its leases, and a resumed run need not wait for them to expire if it is certain that the
 * process is dead. Host names do not make it certain, because containers share them; neither do process ids. On Linux, the
 * system's boot id together with the PID namespace does: if both equal ours, an unused process id belongs to a dead process.
 * On other systems nothing is certain, and the lease decides.
 *
 * @param host name of the host, for messages
 * @param pid process id
 * @param place boot id and PID namespace in which the process id is valid; empty if unknown
 * @param id unique for each time a ledger is opened
 */
record Owner(String host, long pid, String place, String id) {
    /** Value of the column {@code owner} without an owner. */
    static final String NOBODY = "";

    private static final String SEPARATOR = " ";
    private static final String UNKNOWN = "-";

    static Owner current() {
        return new Owner(
                hostName(),
                ProcessHandle.current().pid(),
                currentPlace(),
                UUID.randomUUID().toString());
    }

    /** The value of the column {@code owner}. */
    String text() {
        return String.join(SEPARATOR, host, String.valueOf(pid), place.isEmpty() ? UNKNOWN : place, id);
    }

    static Owner parse(String text) {
        String[] parts = text.split(SEPARATOR, -1);
        if (parts.length != 4 || !parts[1].matches("\\d{1,18}")) {
            return new Owner(text, 0, "", "");
        }
        return new Owner(parts[0], Long.parseLong(parts[1]), parts[2].equals(UNKNOWN) ? "" : parts[2], parts[3]);
    }

    /** Description for messages. */
    String words() {
        return pid == 0 ? host : "process " + pid + " on " + host;
    }

    /** Whether that process is certainly dead, as seen from {@code here}. */
    boolean isDeadAsSeenFrom(Owner here) {
        return !place.isEmpty()
                && place.equals(here.place)
                && ProcessHandle.of(pid).map(process -> !process.isAlive()).orElse(true);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName().replaceAll("\\s", "_");
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }

    private static String currentPlace() {
        try {
            String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
            String numbers =
                    Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            return (boot.strip() + "/" + numbers).replaceAll("\\s", "_");
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }
}
