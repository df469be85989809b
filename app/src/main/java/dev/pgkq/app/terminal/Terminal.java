package dev.pgkq.app.terminal;

import dev.pgkq.platform.Platform;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a standard stream of the process is connected to. Java reports that only for standard input and output together, and
 * never the width of the window, so this class asks the system: {@code ioctl(fd, TIOCGWINSZ, …)} fails unless the stream is a
 * terminal. On systems other than Linux and macOS, no stream counts as a terminal.
 */
public enum Terminal {
    STANDARD_OUTPUT(1),
    STANDARD_ERROR(2);

    static final int DEFAULT_COLUMNS = 80;
    private static final int DEFAULT_ROWS = 24;
    private static final int FEWEST_COLUMNS = 20;

    private final int descriptor;

    Terminal(int descriptor) {
        this.descriptor = descriptor;
    }

    /** Whether lines can be redrawn. */
    public boolean isInteractive() {
        return !"dumb".equals(System.getenv("TERM")) && windowColumns().isPresent();
    }

    /** The current width of the window, or a common one if it is unknown. */
    public int columns() {
        int columns = windowColumns().orElse(0);
        if (columns <= 0) {
            columns = parse(System.getenv("COLUMNS"));
        }
        return columns <= 0 ? DEFAULT_COLUMNS : Math.max(FEWEST_COLUMNS, columns);
    }

    /** The current height of the window, or a common one if it is unknown. */
    public int rows() {
        int rows = window(0).orElse(0);
        return rows <= 0 ? DEFAULT_ROWS : rows;
    }

    private static int parse(@Nullable String columns) {
        try {
            return columns == null ? 0 : Integer.parseInt(columns.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Empty if this is not a terminal; 0 if the terminal does not report its width. */
    private OptionalInt windowColumns() {
        return window(1);
    }

    /** One field of the window size that the system reports. */
    private OptionalInt window(int field) {
        if (!Platform.isLinux() && !Platform.name().startsWith("macosx")) {
            return OptionalInt.empty();
        }
        long request = Platform.isLinux() ? 0x5413 : 0x40087468;
        Linker linker = Linker.nativeLinker();
        try (Arena arena = Arena.ofConfined()) {
            // struct winsize { unsigned short rows, columns, widthInPixels, heightInPixels; }
            MemorySegment size = arena.allocate(ValueLayout.JAVA_SHORT, 4);
            int result = (int) linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("ioctl"),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.ADDRESS),
                            Linker.Option.firstVariadicArg(2))
                    .invokeExact(descriptor, request, size);
            return result == 0
                    ? OptionalInt.of(Short.toUnsignedInt(size.getAtIndex(ValueLayout.JAVA_SHORT, field)))
                    : OptionalInt.empty();
        } catch (Throwable e) {
            return OptionalInt.empty();
        }
    }
}
