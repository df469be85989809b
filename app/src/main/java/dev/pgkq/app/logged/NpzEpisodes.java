package dev.pgkq.app.logged;

import dev.pgkq.app.logged.Npz.FloatArray;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;

/**
 * Reads episodes from NumPy arrays: {@code observations} and {@code actions}, either episode × step × number, with
 * {@code lengths} if some episodes are shorter, or step × number, with all episodes concatenated and {@code lengths} or
 * {@code starts}.
 */
final class NpzEpisodes {
    private final Path file;
    private final FloatArray observations;
    private final FloatArray actions;
    private final Optional<int[]> lengths;
    private final Optional<int[]> starts;

    private NpzEpisodes(Path file, Npz arrays) {
        this.file = file;
        this.observations = arrays.floats("observations");
        this.actions = arrays.floats("actions");
        this.lengths = arrays.counts("lengths");
        this.starts = arrays.counts("starts");
    }

    static LoggedEpisodes read(Path file) {
        try (Npz arrays = Npz.open(file)) {
            return new NpzEpisodes(file, arrays).episodes();
        }
    }

    private LoggedEpisodes episodes() {
        int dimensions = observations.shape().length;
        boolean matching = dimensions == actions.shape().length;
        for (int d = 0; matching && d < dimensions - 1; d++) {
            matching = observations.extent(d) == actions.extent(d);
        }
        if (dimensions < 2 || dimensions > 3 || !matching) {
            throw invalid("has observations of shape " + observations.shapeText() + " and actions of shape "
                    + actions.shapeText() + "; both must be episodes × steps × numbers, or steps × numbers, with the"
                    + " same episodes and steps");
        }
        if (observations.extent(dimensions - 1) == 0 || actions.extent(dimensions - 1) == 0) {
            throw invalid("has observations of shape " + observations.shapeText() + " and actions of shape "
                    + actions.shapeText() + "; a step must have at least one number of each");
        }
        return dimensions == 3 ? padded() : flat();
    }

    private LoggedEpisodes padded() {
        int count = observations.extent(0);
        int longest = observations.extent(1);
        if (starts.isPresent()) {
            throw invalid(
                    "has starts, which are for arrays of steps × numbers, but its arrays have three dimensions; use lengths");
        }
        int[] own = lengths.orElseGet(() -> {
            int[] all = new int[count];
            Arrays.fill(all, longest);
            return all;
        });
        if (own.length != count) {
            throw invalid("has " + own.length + " lengths for " + count + " episodes");
        }
        for (int i = 0; i < count; i++) {
            if (own[i] > longest) {
                throw invalid(
                        "has length " + own[i] + " for episode " + i + ", but only " + longest + " steps per episode");
            }
        }
        return logged(own, unpadded(observations, own), unpadded(actions, own));
    }

    /** Removes the padding, so that episodes are concatenated. */
    private static float[] unpadded(FloatArray array, int[] lengths) {
        int width = array.extent(2);
        int from = 0;
        int to = 0;
        for (int length : lengths) {
            System.arraycopy(array.values(), from, array.values(), to, length * width);
            from += array.extent(1) * width;
            to += length * width;
        }
        return Arrays.copyOf(array.values(), to);
    }

    private LoggedEpisodes flat() {
        int steps = observations.extent(0);
        if (lengths.isPresent() == starts.isPresent()) {
            throw invalid("has concatenated episodes and "
                    + (lengths.isPresent() ? "both lengths and starts" : "neither lengths nor starts")
                    + "; exactly one of them must separate the episodes");
        }
        int[] own = lengths.orElseGet(() -> lengths(starts.orElseThrow(), steps));
        long sum = Arrays.stream(own).asLongStream().sum();
        if (sum != steps) {
            throw invalid("has " + steps + " steps, but its lengths add up to " + sum);
        }
        return logged(own, observations.values(), actions.values());
    }

    /** Converts starts to lengths. The end of the last episode may be included or omitted. */
    private int[] lengths(int[] given, int steps) {
        boolean ended = given.length > 0 && given[given.length - 1] == steps;
        int[] all = ended ? given : Arrays.copyOf(given, given.length + 1);
        all[all.length - 1] = steps;
        int[] own = new int[all.length - 1];
        for (int i = 0; i < own.length; i++) {
            own[i] = all[i + 1] - all[i];
            if (own[i] < 0 || all[0] != 0) {
                throw invalid(
                        "has invalid starts: they must begin with 0 and ascend up to its " + steps + " steps, but have "
                                + (all[0] == 0 ? all[i] + " before " + all[i + 1] : all[0] + " at the beginning"));
            }
        }
        return own;
    }

    private LoggedEpisodes logged(int[] own, float[] ofObservations, float[] ofActions) {
        int last = observations.shape().length - 1;
        return LoggedEpisodes.of(
                file,
                own,
                observations.extent(last),
                ofObservations,
                actions.extent(last),
                ofActions,
                Collections.nCopies(own.length, ""));
    }

    private UserException invalid(String what) {
        return new UserException(file + " " + what);
    }
}
