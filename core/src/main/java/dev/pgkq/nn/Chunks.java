package dev.pgkq.nn;

import java.util.Arrays;

/**
 * Rows cut into chunks, none of which has rows of two episodes. A matrix product may round a row by the number of rows beside
 * it; cut like this, what comes out for an episode depends on that episode alone, whatever batch it is part of.
 *
 * @param bounds chunk c is rows bounds[c] … bounds[c + 1] − 1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Chunks(int[] bounds) {
    /** @param starts where each episode's rows start, and where the last one ends */
    public static Chunks of(int[] starts) {
        int most = ChunkedGradient.CHUNK_ROWS;
        int count = 0;
        for (int e = 0; e + 1 < starts.length; e++) {
            count += Math.ceilDiv(starts[e + 1] - starts[e], most);
        }
        int[] bounds = new int[count + 1];
        int at = 0;
        for (int e = 0; e + 1 < starts.length; e++) {
            for (int from = starts[e]; from < starts[e + 1]; from += most) {
                bounds[at++] = from;
            }
        }
        bounds[at] = starts[starts.length - 1];
        return new Chunks(bounds);
    }

    /** Of rows that are no episodes. */
    static Chunks of(int rows) {
        return of(new int[] {0, rows});
    }

    public int count() {
        return bounds.length - 1;
    }

    public int from(int chunk) {
        return bounds[chunk];
    }

    public int rows(int chunk) {
        return bounds[chunk + 1] - bounds[chunk];
    }

    @Override
    public String toString() {
        return Arrays.toString(bounds);
    }
}
