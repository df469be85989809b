package dev.pgkq.linalg;

/**
 * Matrix products on row-major heap arrays. Implementations use one thread and may be called by many threads at once.
 * Parallelism is left to the caller, which knows how to keep its results independent of the number of threads.
 */
public interface Blas {
    /**
     * Computes C ← op(A) op(B) + β C, with op(A) m × k, op(B) k × n and C m × n. Every matrix is dense in its array,
     * from its offset on. A native implementation holds up the garbage collector while it runs: keep m to a few
     * thousand rows.
     *
     * @param transposeA whether A is transposed
     * @param transposeB whether B is transposed
     * @param m rows of op(A) and C
     * @param n columns of op(B) and C
     * @param k columns of op(A), rows of op(B)
     * @param a holds A
     * @param offsetA where A starts
     * @param b holds B
     * @param offsetB where B starts
     * @param beta β; with 0, what C held before is ignored
     * @param c holds C
     * @param offsetC where C starts
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

    /**
     * Computes the same in double precision.
     *
     * @param transposeA whether A is transposed
     * @param transposeB whether B is transposed
     * @param m rows of op(A) and C
     * @param n columns of op(B) and C
     * @param k columns of op(A), rows of op(B)
     * @param a holds A
     * @param offsetA where A starts
     * @param b holds B
     * @param offsetB where B starts
     * @param beta β; with 0, what C held before is ignored
     * @param c holds C
     * @param offsetC where C starts
     */
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

    /** {@return name, version and processor kernel of the implementation, for people} */
    String description();

    /** {@return OpenBLAS where it can be loaded, otherwise plain Java} */
    static Blas best() {
        return BlasChoice.BEST;
    }

    /** {@return plain Java, to compare with} */
    static Blas plain() {
        return new PlainBlas();
    }

    /** {@return why OpenBLAS is not in use; empty when it is} */
    static String whyNotNative() {
        return BlasChoice.PROBLEM;
    }

    /** Whether a factor is transposed. */
    enum Transpose {
        /** op(X) = X. */
        NO,
        /** op(X) = Xᵀ. */
        YES
    }
}
