package dev.pgkq.linalg;

/** Decides once per process which {@link Blas} is used. */
final class BlasChoice {
    static final Blas BEST;
    static final String PROBLEM;

    static {
        Blas blas;
        String problem = "";
        try {
            blas = OpenBlas.load();
        } catch (NativeLibraryException e) {
            blas = new PlainBlas();
            problem = String.valueOf(e.getMessage());
        }
        BEST = blas;
        PROBLEM = problem;
    }

    private BlasChoice() {}
}
