package dev.pgkq.quadrature;

class RandomlyPivotedCholeskyTest extends QuadratureRuleContract {
    @Override
    QuadratureRule rule() {
        return new RandomlyPivotedCholesky();
    }
}
