package dev.pgkq.quadrature;

/** The rules by name. */
public enum Quadrature {
    RECOMBINATION(new Recombination(true), "the paper's, with its objective"),
    RECOMBINATION_PLAIN(new Recombination(false), "the same without the objective"),
    HERDING(new Herding(), "greedy, equal weights"),
    THINNING(new KernelThinning(), "kernel thinning, equal weights"),
    RPCHOLESKY(new RandomlyPivotedCholesky(), "randomly pivoted Cholesky"),
    PURSUIT(new Pursuit(), "greedy, by what is left of the error"),
    SEARCH(new LocalSearch(0), "local search, for small batches"),
    RANDOM(new RandomSubset(), "control: uniformly at random");

    private final QuadratureRule rule;
    private final String summary;

    Quadrature(QuadratureRule rule, String summary) {
        this.rule = rule;
        this.summary = summary;
    }

    public QuadratureRule rule() {
        return rule;
    }

    public String summary() {
        return summary;
    }
}
