package dev.pgkq.quadrature;

class HerdingTest extends OrderFreeRuleContract {
    @Override
    QuadratureRule rule() {
        return new Herding();
    }
}
