package dev.pgkq.rewards.ledger;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Who has claims in a ledger: one opening of it by one process.
 *
 * <p>A process that is gone will not renew its leases, and whoever resumes a killed run need not wait for them to expire, if
 * it is certain that it is gone. Names of hosts do not make it certain, since containers share them, and neither do numbers
 * of processes. On Linux the system's boot id together with the namespace of process numbers does: where both are ours, a
 * number that no process has is that of a dead one. Elsewhere nothing is certain and the lease decides.
 *
 * @param host its name, for people
 * @param pid the process
 * @param place where that number means a process; empty if not known
 * @param id tells openings apart
 */
record Owner(String host, long pid, String place, String id) {
    /** In the column of the owner: nobody. */
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

    /** As the database has it. */
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

    String words() {
        return pid == 0 ? host : "process " + pid + " on " + host;
    }

    /** Whether that process is certainly no more, as seen from {@code here}. */
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
