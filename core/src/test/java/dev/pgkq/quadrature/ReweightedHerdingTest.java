package dev.pgkq.quadrature;

class ReweightedHerdingTest extends OrderFreeRuleContract {
    @Override
    QuadratureRule rule() {
        return new Reweighted(new Herding());
    }
}
