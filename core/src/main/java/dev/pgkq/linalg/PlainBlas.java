package dev.pgkq.linalg;

/** Matrix products in plain Java: the fallback where OpenBLAS cannot be loaded, and the oracle it is tested against. */
final class PlainBlas implements Blas {
    @Override
    public void multiply(
            Transpose transposeA,
            Transpose transposeB,
            int m,
            int n,
            int k,
            float[] a,
            int offsetA,
            float[] b,
            int offsetB,
            float beta,
            float[] c,
            int offsetC) {
        int rowA = transposeA == Transpose.NO ? k : 1;
        int columnA = transposeA == Transpose.NO ? 1 : m;
        int rowB = transposeB == Transpose.NO ? n : 1;
        int columnB = transposeB == Transpose.NO ? 1 : k;
        for (int i = 0; i < m; i++) {
            int row = offsetC + i * n;
            for (int j = 0; j < n; j++) {
                c[row + j] = beta == 0 ? 0 : beta * c[row + j];
            }
            for (int l = 0; l < k; l++) {
                float factor = a[offsetA + i * rowA + l * columnA];
                int start = offsetB + l * rowB;
                for (int j = 0; j < n; j++) {
                    c[row + j] += factor * b[start + j * columnB];
                }
            }
        }
    }

    @Override
    public void multiply(
            Transpose transposeA,
            Transpose transposeB,
            int m,
            int n,
            int k,
            double[] a,
            int offsetA,
            double[] b,
            int offsetB,
            double beta,
            double[] c,
            int offsetC) {
        int rowA = transposeA == Transpose.NO ? k : 1;
        int columnA = transposeA == Transpose.NO ? 1 : m;
        int rowB = transposeB == Transpose.NO ? n : 1;
        int columnB = transposeB == Transpose.NO ? 1 : k;
        for (int i = 0; i < m; i++) {
            int row = offsetC + i * n;
            for (int j = 0; j < n; j++) {
                c[row + j] = beta == 0 ? 0 : beta * c[row + j];
            }
            for (int l = 0; l < k; l++) {
                double factor = a[offsetA + i * rowA + l * columnA];
                int start = offsetB + l * rowB;
                for (int j = 0; j < n; j++) {
                    c[row + j] += factor * b[start + j * columnB];
                }
            }
        }
    }

    @Override
    public String description() {
        return "plain Java loops";
    }
}
