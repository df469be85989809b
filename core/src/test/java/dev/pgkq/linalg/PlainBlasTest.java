package dev.pgkq.linalg;

class PlainBlasTest extends BlasContract {
    @Override
    Blas blas() {
        return new PlainBlas();
    }
}
