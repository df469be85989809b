package dev.pgkq.linalg;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * OpenBLAS through the FFM API. Products are linked as <em>critical</em>, so that heap arrays are passed without a
 * copy. OpenBLAS is limited to one thread.
 */
final class OpenBlas implements Blas {
    private static final int ROW_MAJOR = 101;
    private static final int NO_TRANSPOSE = 111;
    private static final int TRANSPOSE = 112;

    private final String description;

    private OpenBlas(String description) {
        this.description = description;
    }

    static OpenBlas load() throws NativeLibraryException {
        try {
            return new OpenBlas(Native.configuration());
        } catch (ExceptionInInitializerError e) {
            Throwable cause = e.getCause();
            throw cause instanceof WrappedProblem wrapped ? wrapped.problem : new NativeLibraryException("OpenBLAS", e);
        }
    }

    @Override
    public void multiply(
            Transpose transposeA,
            Transpose transposeB,
            int m,
            int n,
            int k,
            float[] a,
            int offsetA,
            float[] b,
            int offsetB,
            float beta,
            float[] c,
            int offsetC) {
        // Native code does not check bounds: a wrong size would corrupt the heap.
        requireRoom(a.length, offsetA, m, k);
        requireRoom(b.length, offsetB, k, n);
        requireRoom(c.length, offsetC, m, n);
        if (m == 0 || n == 0) {
            return;
        }
        try {
            Native.SGEMM.invokeExact(
                    ROW_MAJOR,
                    code(transposeA),
                    code(transposeB),
                    m,
                    n,
                    k,
                    1f,
                    segment(a, offsetA),
                    Math.max(1, transposeA == Transpose.NO ? k : m),
                    segment(b, offsetB),
                    Math.max(1, transposeB == Transpose.NO ? n : k),
                    beta,
                    segment(c, offsetC),
                    n);
        } catch (Throwable e) {
            throw new IllegalStateException("cblas_sgemm", e);
        }
    }

    @Override
    public void multiply(
            Transpose transposeA,
            Transpose transposeB,
            int m,
            int n,
            int k,
            double[] a,
            int offsetA,
            double[] b,
            int offsetB,
            double beta,
            double[] c,
            int offsetC) {
        requireRoom(a.length, offsetA, m, k);
        requireRoom(b.length, offsetB, k, n);
        requireRoom(c.length, offsetC, m, n);
        if (m == 0 || n == 0) {
            return;
        }
        try {
            Native.DGEMM.invokeExact(
                    ROW_MAJOR,
                    code(transposeA),
                    code(transposeB),
                    m,
                    n,
                    k,
                    1.0,
                    segment(a, offsetA),
                    Math.max(1, transposeA == Transpose.NO ? k : m),
                    segment(b, offsetB),
                    Math.max(1, transposeB == Transpose.NO ? n : k),
                    beta,
                    segment(c, offsetC),
                    n);
        } catch (Throwable e) {
            throw new IllegalStateException("cblas_dgemm", e);
        }
    }

    private static void requireRoom(int length, int offset, int rows, int columns) {
        if (offset < 0 || rows < 0 || columns < 0 || offset + (long) rows * columns > length) {
            throw new IndexOutOfBoundsException(
                    rows + " × " + columns + " at " + offset + " does not fit into " + length + " values");
        }
    }

    private static int code(Transpose transpose) {
        return transpose == Transpose.NO ? NO_TRANSPOSE : TRANSPOSE;
    }

    private static MemorySegment segment(float[] array, int offset) {
        return MemorySegment.ofArray(array).asSlice((long) offset * Float.BYTES);
    }

    private static MemorySegment segment(double[] array, int offset) {
        return MemorySegment.ofArray(array).asSlice((long) offset * Double.BYTES);
    }

    @Override
    public String description() {
        return description;
    }

    /** The linked functions: constants, so that the compiler can inline the calls. */
    private static final class Native {
        static final MethodHandle SGEMM;
        static final MethodHandle DGEMM;
        private static final MethodHandle CONFIGURATION;

        static {
            try {
                SymbolLookup library = OpenBlasLibrary.open();
                Linker linker = Linker.nativeLinker();
                SGEMM = linker.downcallHandle(
                        library.findOrThrow("cblas_sgemm"), product(JAVA_FLOAT), Linker.Option.critical(true));
                DGEMM = linker.downcallHandle(
                        library.findOrThrow("cblas_dgemm"), product(JAVA_DOUBLE), Linker.Option.critical(true));
                CONFIGURATION = linker.downcallHandle(
                        library.findOrThrow("openblas_get_config"), FunctionDescriptor.of(ADDRESS));
                MethodHandle threads = linker.downcallHandle(
                        library.findOrThrow("openblas_set_num_threads"), FunctionDescriptor.ofVoid(JAVA_INT));
                threads.invokeExact(1);
            } catch (NativeLibraryException e) {
                throw new WrappedProblem(e);
            } catch (Throwable e) {
                throw new WrappedProblem(new NativeLibraryException("OpenBLAS does not work here: " + e, e));
            }
        }

        /** Order, two transposes, m, n, k, α, A, B, β and C, each matrix followed by the length of its rows. */
        private static FunctionDescriptor product(ValueLayout number) {
            return FunctionDescriptor.ofVoid(
                    JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, number, ADDRESS, JAVA_INT, ADDRESS,
                    JAVA_INT, number, ADDRESS, JAVA_INT);
        }

        static String configuration() {
            try {
                MemorySegment text = (MemorySegment) CONFIGURATION.invokeExact();
                return text.reinterpret(Long.MAX_VALUE).getString(0).strip();
            } catch (Throwable e) {
                throw new IllegalStateException("openblas_get_config", e);
            }
        }
    }

    /** Carries a checked exception out of a static initialiser. */
    private static final class WrappedProblem extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final NativeLibraryException problem;

        WrappedProblem(NativeLibraryException problem) {
            super(problem);
            this.problem = problem;
        }
    }
}
