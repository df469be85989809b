package dev.pgkq.quadrature;

class HerdingTest extends QuadratureRuleContract {
    @Override
    QuadratureRule rule() {
        return new Herding();
    }

    @Override
    boolean invariantUnderPermutation() {
        return true;
    }
}
