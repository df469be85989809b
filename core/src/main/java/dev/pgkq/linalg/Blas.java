package dev.pgkq.linalg;

/**
 * Matrix products on row-major heap arrays. All implementations are single-threaded and may be called by many threads
 * at once: parallelism belongs to the caller, who knows how to keep its results independent of it.
 */
public interface Blas {
    /**
     * C ← op(A) op(B) + β C, with op(A) m × k, op(B) k × n and C m × n; every matrix is dense in its array, starting at
     * its offset. A native implementation holds up the garbage collector while it runs: keep m to a few thousand rows.
     */
    void multiply(
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
            int offsetC);

    /** The same in double precision. */
    void multiply(
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
            int offsetC);

    /** What does the work, for people: name, version, processor kernel. */
    String description();

    /** OpenBLAS where it can be loaded, otherwise plain Java. */
    static Blas best() {
        return BlasChoice.BEST;
    }

    /** Plain Java, to compare with. */
    static Blas plain() {
        return new PlainBlas();
    }

    /** Why OpenBLAS is not in use; empty when it is. */
    static String whyNotNative() {
        return BlasChoice.PROBLEM;
    }

    /** Whether a factor is taken as it stands or transposed. */
    enum Transpose {
        NO,
        YES
    }
}
