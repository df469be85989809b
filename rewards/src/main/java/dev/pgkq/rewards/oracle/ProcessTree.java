package dev.pgkq.rewards.oracle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A process and all its descendants. Descendants are found through their parents. On Linux, a descendant whose parent has ended is
 * found by an environment variable that the first process gets and all others inherit.
 */
final class ProcessTree {
    /** The variable; every tree has its own value. */
    static final String MARK = "PGKQ_EVALUATION";

    private static final Path PROC = Path.of("/proc");
    /** Time for processes to end after SIGTERM, and again after SIGKILL. */
    private static final Duration GRACE = Duration.ofSeconds(3);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final ProcessHandle root;
    private final String mark;

    ProcessTree(ProcessHandle root, String mark) {
        this.root = root;
        this.mark = mark;
    }

    /**
     * Ends every process of the tree: sends SIGTERM, so that a program can cancel what it started elsewhere, and SIGKILL to those
     * still alive a little later. Returns when all have ended, or when that cannot be achieved. An interrupt makes it send SIGKILL
     * at once.
     */
    void stop() {
        Set<ProcessHandle> alive = new LinkedHashSet<>(Set.of(root));
        Set<ProcessHandle> asked = new HashSet<>();
        boolean interrupted = false;
        boolean force = false;
        long since = System.nanoTime();
        while (true) {
            alive.addAll(found(alive));
            alive.removeIf(process -> !isAlive(process));
            boolean late = System.nanoTime() - since > GRACE.toNanos();
            if (alive.isEmpty() || (late && force)) {
                break;
            }
            if (late || interrupted) {
                since = force ? since : System.nanoTime();
                force = true;
            }
            for (ProcessHandle process : alive) {
                if (force) {
                    process.destroyForcibly();
                } else if (asked.add(process)) {
                    process.destroy();
                }
            }
            try {
                Thread.sleep(POLL_INTERVAL);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Set<ProcessHandle> found(Set<ProcessHandle> known) {
        Set<ProcessHandle> found = new LinkedHashSet<>();
        for (ProcessHandle process : known) {
            process.descendants().forEach(found::add);
        }
        if (Files.isDirectory(PROC)) {
            try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
                all.filter(this::isMarked).forEach(found::add);
            }
        }
        return found;
    }

    private boolean isMarked(ProcessHandle process) {
        try {
            byte[] variables = Files.readAllBytes(PROC.resolve(process.pid() + "/environ"));
            return new String(variables, ISO_8859_1).contains(MARK + "=" + mark);
        } catch (IOException e) {
            return false; // it ended, or belongs to another user
        }
    }

    /** A process that has ended stays in the process table until its parent waits for it, which some parents never do. */
    private static boolean isAlive(ProcessHandle process) {
        if (!process.isAlive()) {
            return false;
        }
        try {
            String line = Files.readString(PROC.resolve(process.pid() + "/stat"), ISO_8859_1);
            return !line.substring(line.lastIndexOf(')') + 1).strip().startsWith("Z");
        } catch (IOException e) {
            return process.isAlive();
        }
    }
}
