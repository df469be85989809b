package dev.pgkq.quadrature;

class RecombinationWithoutObjectiveTest extends RecombinationContract {
    @Override
    QuadratureRule rule() {
        return new Recombination(false);
    }
}
