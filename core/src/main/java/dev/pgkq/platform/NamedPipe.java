package dev.pgkq.platform;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.nio.charset.Charset;
import java.nio.file.Path;

/** Creates named pipes, which Java itself cannot. */
public final class NamedPipe {
    private static final int OWNER_ONLY = 0600;

    private NamedPipe() {}

    /**
     * Creates a named pipe; nothing happens if the system or the file system has none.
     *
     * @param path an absolute path
     */
    public static void make(Path path) {
        Linker linker = Linker.nativeLinker();
        var function = linker.defaultLookup().find("mkfifo");
        if (function.isEmpty()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            Charset names = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
            int unused = (int) linker.downcallHandle(function.get(), FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT))
                    .invokeExact(arena.allocateFrom(path.toString(), names), OWNER_ONLY);
        } catch (Throwable e) {
            throw new IllegalStateException("mkfifo", e);
        }
    }
}
