package dev.pgkq.linalg;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * LAPACK's {@code dsyevr}, from the OpenBLAS library. It may take seconds, so it works on memory outside the heap and
 * does not hold up the garbage collector.
 */
final class LapackEigen {
    private static final int COLUMN_MAJOR = 102;

    private LapackEigen() {}

    static SymmetricEigen largest(double[] matrix, int n, int count) {
        try (Arena arena = Arena.ofConfined()) {
            // Row-major equals column-major: the matrix is symmetric.
            MemorySegment a = arena.allocateFrom(JAVA_DOUBLE, matrix);
            MemorySegment found = arena.allocate(JAVA_INT);
            MemorySegment values = arena.allocate(JAVA_DOUBLE, n);
            MemorySegment vectors = arena.allocate(JAVA_DOUBLE, (long) n * count);
            MemorySegment support = arena.allocate(JAVA_INT, 2L * count);
            int status = (int) Native.SYEVR.invokeExact(
                    COLUMN_MAJOR,
                    (byte) 'V',
                    (byte) 'I',
                    (byte) 'U',
                    n,
                    a,
                    n,
                    0.0,
                    0.0,
                    n - count + 1,
                    n,
                    0.0,
                    found,
                    values,
                    vectors,
                    n,
                    support);
            if (status != 0 || found.get(JAVA_INT, 0) != count) {
                throw new IllegalStateException("dsyevr ended with status " + status);
            }
            double[] descending = new double[count];
            double[][] rows = new double[count][n];
            for (int j = 0; j < count; j++) {
                int from = count - 1 - j;
                descending[j] = values.getAtIndex(JAVA_DOUBLE, from);
                MemorySegment.copy(vectors, JAVA_DOUBLE, (long) from * n * Double.BYTES, rows[j], 0, n);
            }
            return new SymmetricEigen(descending, rows);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("LAPACKE_dsyevr", e);
        }
    }

    private static final class Native {
        static final MethodHandle SYEVR;

        static {
            try {
                SYEVR = Linker.nativeLinker()
                        .downcallHandle(
                                OpenBlasLibrary.open().findOrThrow("LAPACKE_dsyevr"),
                                FunctionDescriptor.of(
                                        JAVA_INT,
                                        JAVA_INT,
                                        JAVA_BYTE,
                                        JAVA_BYTE,
                                        JAVA_BYTE,
                                        JAVA_INT,
                                        ADDRESS,
                                        JAVA_INT,
                                        JAVA_DOUBLE,
                                        JAVA_DOUBLE,
                                        JAVA_INT,
                                        JAVA_INT,
                                        JAVA_DOUBLE,
                                        ADDRESS,
                                        ADDRESS,
                                        ADDRESS,
                                        JAVA_INT,
                                        ADDRESS));
            } catch (NativeLibraryException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
