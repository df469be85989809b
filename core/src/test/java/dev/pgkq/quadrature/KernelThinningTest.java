package dev.pgkq.quadrature;

class KernelThinningTest extends QuadratureRuleContract {
    @Override
    QuadratureRule rule() {
        return new KernelThinning();
    }
}
