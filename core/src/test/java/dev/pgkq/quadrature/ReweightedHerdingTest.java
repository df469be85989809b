package dev.pgkq.quadrature;

class ReweightedHerdingTest extends QuadratureRuleContract {
    @Override
    QuadratureRule rule() {
        return new Reweighted(new Herding());
    }

    @Override
    boolean invariantUnderPermutation() {
        return true;
    }
}
