package dev.pgkq.quadrature;

/** The rules by name. */
public enum Quadrature {
    RECOMBINATION(new Recombination(true)),
    RECOMBINATION_PLAIN(new Recombination(false)),
    HERDING(new Herding()),
    THINNING(new KernelThinning()),
    RPCHOLESKY(new RandomlyPivotedCholesky()),
    PURSUIT(new Pursuit()),
    SEARCH(new LocalSearch(0)),
    RANDOM(new RandomSubset());

    private final QuadratureRule rule;

    Quadrature(QuadratureRule rule) {
        this.rule = rule;
    }

    public QuadratureRule rule() {
        return rule;
    }
}
