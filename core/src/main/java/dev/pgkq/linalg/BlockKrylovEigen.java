package dev.pgkq.linalg;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A few leading eigenpairs of a large symmetric matrix A, from products with A alone: block Krylov with a random start
 * [1] and Rayleigh–Ritz [2].
 *
 * <p>The basis Q = [Q_1 … Q_q] of span{X, A X, …, A^{q−1} X} grows block by block. The small matrix T = Qᵀ A Q has the
 * leading eigenpairs (θ, s), which give (θ, Q s) for A. With W the part of A Q_q that is orthogonal to Q, the residual
 * needs no further product:
 *
 * <pre>
 *   ‖A Q s − θ Q s‖² = sᵀ_q (Wᵀ W) s_q,   s_q the last block of s.
 * </pre>
 *
 * <p>X has more columns than pairs are wanted. So it has a part in every leading eigenvector, however often an
 * eigenvalue repeats, and small residuals mean that the leading pairs were found. With a narrow X they would not mean that.
 *
 * <ol>
 *   <li>C. Musco, C. Musco: Randomized block Krylov methods for stronger and faster approximate singular value
 *       decomposition. NeurIPS 2015.
 *   <li>Y. Saad: Numerical methods for large eigenvalue problems. SIAM 2011, chapters 4 and 6.
 *   <li>A. Stathopoulos, K. Wu: A block orthogonalization procedure with constant synchronization requirements. SIAM
 *       Journal on Scientific Computing 23(6), 2002.
 * </ol>
 */
final class BlockKrylovEigen {
    /** Residuals below this share of the largest eigenvalue are as good as LAPACK's for our uses. */
    private static final double CONVERGED = 1e-12;
    /** Squared lengths below this share of the largest in a block are hidden by rounding. */
    private static final double ROUNDING = 1e-14;
    /** If the smallest and the largest squared length have at least this ratio, scaling made the block orthonormal. */
    private static final double WELL_CONDITIONED = 1e-2;

    private static final int MOST_PASSES = 5;
    /** Columns in addition to the wanted pairs: the last pairs then converge sooner. 16 and 32 took longer. */
    private static final int EXTRA = 8;
    /**
     * Rows in a product with the matrix. The garbage collector waits for a product; this many take a few milliseconds.
     */
    private static final int PANEL = 256;

    private final double[] matrix;
    private final int n;
    private final int count;
    private final Blas blas;
    private final SymmetricEigen.Solver small;
    private final List<Block> basis = new ArrayList<>();

    /** Columns side by side: n × width, row by row. */
    private record Block(double[] values, int width) {}

    private BlockKrylovEigen(double[] matrix, int n, int count, Blas blas, SymmetricEigen.Solver small) {
        this.matrix = matrix;
        this.n = n;
        this.count = count;
        this.blas = blas;
        this.small = small;
    }

    /**
     * Finds the {@code count} largest pairs; empty where a basis of {@code most} vectors is not enough. {@code small}
     * solves the projected problems.
     */
    static Optional<SymmetricEigen> largest(
            double[] matrix, int n, int count, int most, Blas blas, SymmetricEigen.Solver small) {
        return new BlockKrylovEigen(matrix, n, count, blas, small).grow(most);
    }

    private Optional<SymmetricEigen> grow(int most) {
        double[] projected = new double[most * most];
        int size = 0;
        Block next = orthonormal(start());
        while (next.width > 0 && size + next.width <= most) {
            int before = size;
            basis.add(next);
            size += next.width;
            Block image = image(next);
            project(image, projected, most, before);
            SymmetricEigen ritz = small.largest(leading(projected, most, size), size, count);
            double residual = largestResidual(ritz, inner(image, image), before, next.width);
            if (residual <= CONVERGED * Math.abs(ritz.values()[0])) {
                return Optional.of(new SymmetricEigen(ritz.values(), combined(ritz)));
            }
            next = orthonormal(image);
        }
        return Optional.empty();
    }

    /** A random block that depends on the sizes only, so that the same matrix gives the same bits. */
    private Block start() {
        int width = count + EXTRA;
        RandomStream random = RandomStream.of(0, Purpose.EIGEN_START, n, width);
        double[] values = new double[n * width];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextGaussian();
        }
        return new Block(values, width);
    }

    /** A times the block, one panel of rows after another. */
    private Block image(Block block) {
        double[] values = new double[n * block.width];
        for (int row = 0; row < n; row += PANEL) {
            int rows = Math.min(PANEL, n - row);
            blas.multiply(
                    NO, NO, rows, block.width, n, matrix, row * n, block.values, 0, 0.0, values, row * block.width);
        }
        return new Block(values, block.width);
    }

    private double[] inner(Block a, Block b) {
        double[] inner = new double[a.width * b.width];
        blas.multiply(YES, NO, a.width, b.width, n, a.values, 0, b.values, 0, 0.0, inner, 0);
        return inner;
    }

    /**
     * Subtracts from the image of the last block its part in the basis; the coefficients are the last columns and rows
     * of T.
     */
    private void project(Block image, double[] projected, int stride, int column) {
        int row = 0;
        for (Block block : basis) {
            double[] inner = remove(block, image);
            for (int i = 0; i < block.width; i++) {
                for (int j = 0; j < image.width; j++) {
                    projected[(row + i) * stride + column + j] = inner[i * image.width + j];
                    projected[(column + j) * stride + row + i] = inner[i * image.width + j];
                }
            }
            row += block.width;
        }
    }

    /** block ← block − Q Qᵀ block for one block Q of the basis; returns Qᵀ block. */
    private double[] remove(Block q, Block block) {
        double[] inner = inner(q, block);
        double[] negative = new double[inner.length];
        for (int i = 0; i < inner.length; i++) {
            negative[i] = -inner[i];
        }
        blas.multiply(NO, NO, n, block.width, q.width, q.values, 0, negative, 0, 1.0, block.values, 0);
        return inner;
    }

    private static double[] leading(double[] projected, int stride, int size) {
        double[] leading = new double[size * size];
        for (int i = 0; i < size; i++) {
            System.arraycopy(projected, i * stride, leading, i * size, size);
        }
        return leading;
    }

    private static double largestResidual(SymmetricEigen ritz, double[] gram, int before, int width) {
        double largest = 0;
        for (double[] s : ritz.vectors()) {
            double square = 0;
            for (int i = 0; i < width; i++) {
                double row = 0;
                for (int j = 0; j < width; j++) {
                    row += gram[i * width + j] * s[before + j];
                }
                square += s[before + i] * row;
            }
            largest = Math.max(largest, square);
        }
        return Math.sqrt(largest);
    }

    /** Q s for all s, one a row. */
    private double[][] combined(SymmetricEigen ritz) {
        double[] columns = new double[n * count];
        int row = 0;
        for (Block block : basis) {
            double[] part = new double[block.width * count];
            for (int i = 0; i < block.width; i++) {
                for (int k = 0; k < count; k++) {
                    part[i * count + k] = ritz.vectors()[k][row + i];
                }
            }
            blas.multiply(NO, NO, n, count, block.width, block.values, 0, part, 0, 1.0, columns, 0);
            row += block.width;
        }
        double[][] vectors = new double[count][n];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < count; k++) {
                vectors[k][i] = columns[i * count + k];
            }
        }
        return vectors;
    }

    /**
     * An orthonormal block with the same span, orthogonal to the basis [3]: rotated to the principal axes of its inner
     * products, and scaled. Rounding hides axes shorter than 1e-7 of the longest; these are scaled as if they had that
     * length, and the next pass shows whether they are more than rounding errors. The block has no columns if this
     * fails.
     */
    private Block orthonormal(Block block) {
        Block current = scaled(block, axes(block), block.width);
        for (int pass = 1; pass < MOST_PASSES && current.width > 0; pass++) {
            for (Block q : basis) {
                remove(q, current);
            }
            SymmetricEigen axes = axes(current);
            double longest = axes.values()[0];
            int kept = current.width;
            while (kept > 0 && axes.values()[kept - 1] <= ROUNDING * longest) {
                kept--;
            }
            current = scaled(current, axes, kept);
            if (kept > 0 && axes.values()[kept - 1] > WELL_CONDITIONED * longest) {
                return current;
            }
        }
        return new Block(new double[0], 0);
    }

    /** Squared lengths and directions, the longest first. */
    private SymmetricEigen axes(Block block) {
        return small.largest(inner(block, block), block.width, block.width);
    }

    private Block scaled(Block block, SymmetricEigen axes, int kept) {
        double shortest = ROUNDING * axes.values()[0];
        double[] rotation = new double[block.width * kept];
        for (int k = 0; k < kept; k++) {
            double scale = 1 / Math.sqrt(Math.max(axes.values()[k], shortest));
            for (int i = 0; i < block.width; i++) {
                rotation[i * kept + k] = scale * axes.vectors()[k][i];
            }
        }
        double[] values = new double[n * kept];
        blas.multiply(NO, NO, n, kept, block.width, block.values, 0, rotation, 0, 0.0, values, 0);
        return new Block(values, kept);
    }
}
