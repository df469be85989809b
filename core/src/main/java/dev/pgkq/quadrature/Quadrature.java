package dev.pgkq.quadrature;

/** The rules by name, as settings name them. */
public enum Quadrature {
    /** The rule of the paper, with its objective. */
    RECOMBINATION(new Recombination(true)),
    /** Recombination without the objective. */
    RECOMBINATION_PLAIN(new Recombination(false)),
    /** Kernel herding. */
    HERDING(new Herding()),
    /** Kernel thinning. */
    THINNING(new KernelThinning()),
    /** Randomly pivoted Cholesky. */
    RPCHOLESKY(new RandomlyPivotedCholesky()),
    /** Orthogonal matching pursuit. */
    PURSUIT(new Pursuit()),
    /** Local search without restarts. */
    SEARCH(new LocalSearch(0)),
    /** A random subset. */
    RANDOM(new RandomSubset());

    private final QuadratureRule rule;

    Quadrature(QuadratureRule rule) {
        this.rule = rule;
    }

    /** {@return the rule} */
    public QuadratureRule rule() {
        return rule;
    }
}
