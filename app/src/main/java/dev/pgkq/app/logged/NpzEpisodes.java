package dev.pgkq.app.logged;

import dev.pgkq.app.logged.Npz.Table;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;

/**
 * Reads episodes from arrays of NumPy's: {@code observations} and {@code actions}, either episode × step × number, with
 * {@code lengths} where some are shorter, or step × number, all episodes one after the other, with {@code lengths} or
 * {@code starts}.
 */
final class NpzEpisodes {
    private final Path file;
    private final Table observations;
    private final Table actions;
    private final Optional<int[]> lengths;
    private final Optional<int[]> starts;

    private NpzEpisodes(Path file, Npz arrays) {
        this.file = file;
        this.observations = arrays.table("observations");
        this.actions = arrays.table("actions");
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
        boolean fitting = dimensions == actions.shape().length;
        for (int d = 0; fitting && d < dimensions - 1; d++) {
            fitting = observations.extent(d) == actions.extent(d);
        }
        if (dimensions < 2 || dimensions > 3 || !fitting) {
            throw wrong("has observations of the shape " + observations.shapeText() + " and actions of "
                    + actions.shapeText() + ": both should be episodes × steps × numbers, or steps × numbers, with the"
                    + " same episodes and steps");
        }
        if (observations.extent(dimensions - 1) == 0 || actions.extent(dimensions - 1) == 0) {
            throw wrong("has observations of the shape " + observations.shapeText() + " and actions of "
                    + actions.shapeText() + ": a step should have at least a number of both");
        }
        return dimensions == 3 ? padded() : flat();
    }

    private LoggedEpisodes padded() {
        int count = observations.extent(0);
        int longest = observations.extent(1);
        if (starts.isPresent()) {
            throw wrong(
                    "has starts, which go with arrays of steps × numbers; its arrays have three dimensions: give lengths");
        }
        int[] own = lengths.orElseGet(() -> {
            int[] all = new int[count];
            Arrays.fill(all, longest);
            return all;
        });
        if (own.length != count) {
            throw wrong("has " + own.length + " lengths for " + count + " episodes");
        }
        for (int i = 0; i < count; i++) {
            if (own[i] > longest) {
                throw wrong(
                        "gives episode " + i + " the length " + own[i] + ", and has room for " + longest + " steps");
            }
        }
        return logged(own, unpadded(observations, own), unpadded(actions, own));
    }

    /** The steps that count, one episode after the other. */
    private static float[] unpadded(Table table, int[] lengths) {
        int width = table.extent(2);
        int from = 0;
        int to = 0;
        for (int length : lengths) {
            System.arraycopy(table.values(), from, table.values(), to, length * width);
            from += table.extent(1) * width;
            to += length * width;
        }
        return Arrays.copyOf(table.values(), to);
    }

    private LoggedEpisodes flat() {
        int steps = observations.extent(0);
        if (lengths.isPresent() == starts.isPresent()) {
            throw wrong("has steps of all episodes one after the other and "
                    + (lengths.isPresent() ? "both lengths and starts" : "neither lengths nor starts")
                    + ": one of them should say which are whose");
        }
        int[] own = lengths.orElseGet(() -> lengths(starts.orElseThrow(), steps));
        long sum = Arrays.stream(own).asLongStream().sum();
        if (sum != steps) {
            throw wrong("has " + steps + " steps, and its lengths are " + sum + " in all");
        }
        return logged(own, observations.values(), actions.values());
    }

    /** An entry for the end of the last episode may be there or not. */
    private int[] lengths(int[] given, int steps) {
        boolean ended = given.length > 0 && given[given.length - 1] == steps;
        int[] all = ended ? given : Arrays.copyOf(given, given.length + 1);
        all[all.length - 1] = steps;
        int[] own = new int[all.length - 1];
        for (int i = 0; i < own.length; i++) {
            own[i] = all[i + 1] - all[i];
            if (own[i] < 0 || all[0] != 0) {
                throw wrong("has starts that should begin with 0 and ascend, up to its " + steps + " steps, and has "
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

    private UserException wrong(String what) {
        return new UserException(file + " " + what);
    }
}
