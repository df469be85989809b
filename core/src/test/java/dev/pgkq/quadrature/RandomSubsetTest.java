package dev.pgkq.quadrature;

class RandomSubsetTest extends QuadratureRuleContract {
    @Override
    QuadratureRule rule() {
        return new RandomSubset();
    }
}
