package dev.pgkq.gp;

/** The loops in plain Java: the fallback, and the oracle of the SIMD twin. */
final class PlainGramKernel implements GramKernel {
    @Override
    public void pass(PackedSteps rows, int group, PackedSteps columns, int episode, float[] lanes) {
        int row = group * ROWS * rows.stride;
        for (int lane = 0; lane < lanes.length; lane++) {
            float sum = 0;
            for (int r = 0; r < ROWS; r++) {
                float own = lane(rows, row + r, columns, episode, lane);
                if (rows.dimensions > 1) {
                    sum += own;
                } else {
                    sum = Math.fma(own, rows.rows[row + r + ROWS], sum);
                }
            }
            lanes[lane] = sum;
        }
    }

    /** One row with the steps of one lane; where weights are numbers, the caller multiplies with the row's own. */
    private static float lane(PackedSteps from, int row, PackedSteps steps, int episode, int lane) {
        int size = PackedSteps.LANES * steps.stride;
        int end = steps.firstBlock(episode + 1) * size + lane;
        float sum = 0;
        for (int column = steps.firstBlock(episode) * size + lane; column < end; column += size) {
            int d = steps.dimensions;
            float distance = from.rows[row] + steps.columns[column];
            float kernel = exp2(dot(from, row, steps, column, 1 + d, steps.features, distance));
            float weight = d > 1 ? dot(from, row, steps, column, 1, d, 0f) : steps.columns[column + PackedSteps.LANES];
            sum = Math.fma(weight, kernel, sum);
        }
        return sum;
    }

    private static float dot(
            PackedSteps rows, int row, PackedSteps columns, int column, int from, int count, float start) {
        float sum = start;
        for (int k = from; k < from + count; k++) {
            sum = Math.fma(rows.rows[row + k * ROWS], columns.columns[column + k * PackedSteps.LANES], sum);
        }
        return sum;
    }

    /** 2^−distance = 2^−n · 2^−f with integer n and |f| ≤ ½; n is subtracted from the bits of the exponent. */
    private static float exp2(float distance) {
        float held = Float.intBitsToFloat(Math.min(Math.max(Float.floatToRawIntBits(distance), 0), FARTHEST_BITS));
        float rounded = held + ROUNDER;
        float f = held - (rounded - ROUNDER);
        float p = Math.fma(C5, f, C4);
        p = Math.fma(p, f, C3);
        p = Math.fma(p, f, C2);
        p = Math.fma(p, f, C1);
        p = Math.fma(p, f, C0);
        return Float.intBitsToFloat(Float.floatToRawIntBits(p) - (Float.floatToRawIntBits(rounded) << MANTISSA_BITS));
    }
}
