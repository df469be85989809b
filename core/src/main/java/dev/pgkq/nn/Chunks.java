package dev.pgkq.nn;

import java.util.Arrays;

/**
 * Rows cut into chunks, none of which has rows of two episodes. The rounding of a row in a matrix product may depend on
 * the number of rows. Cut like this, the results of an episode depend on that episode alone, whatever batch it is part
 * of.
 *
 * @param bounds chunk c is rows bounds[c] … bounds[c + 1] − 1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Chunks(int[] bounds) {
    /**
     * Cuts the rows of episodes.
     *
     * @param starts where each episode's rows start, and where the last one ends
     * @return chunks of at most {@link ChunkedGradient#CHUNK_ROWS} rows
     */
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

    /** Cuts rows that do not belong to episodes. */
    static Chunks of(int rows) {
        return of(new int[] {0, rows});
    }

    /** {@return the number of chunks} */
    public int count() {
        return bounds.length - 1;
    }

    /**
     * Looks up where a chunk starts.
     *
     * @param chunk its number
     * @return its first row
     */
    public int from(int chunk) {
        return bounds[chunk];
    }

    /**
     * Looks up the size of a chunk.
     *
     * @param chunk its number
     * @return how many rows it has
     */
    public int rows(int chunk) {
        return bounds[chunk + 1] - bounds[chunk];
    }

    @Override
    public String toString() {
        return Arrays.toString(bounds);
    }
}
