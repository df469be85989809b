package dev.pgkq.app.logged;

import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.QuadratureRule;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.rewards.files.Csv;
import dev.pgkq.text.Excerpt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The episodes to score, with the weight of each score.
 *
 * @param rows the selected episodes, in the order of the file
 * @param description the kernel, for people
 * @param error worst-case error of the selection
 * @param randomError root mean square of the worst-case error of the same number of random episodes
 */
public record EpisodeSelection(List<Row> rows, String description, double error, double randomError) {
    private static final int MAX_ID_LENGTH = 60;

    /** A selected episode: its index in the file from 0, its weight, its number of steps, and its id, which may be empty. */
    public record Row(int index, double weight, int length, String id) {}

    /** Selects n of the episodes by a quadrature rule. */
    public static EpisodeSelection of(
            LoggedEpisodes episodes, int n, EpisodeKernel kernel, QuadratureRule rule, long seed, Workers workers) {
        EpisodeKernel.KernelMatrix matrix = kernel.matrix(episodes, workers);
        GramMatrix gram = matrix.gram();
        WeightedPoints points = rule.choose(gram, n, RandomStream.of(seed, Purpose.SELECTION));
        return new EpisodeSelection(
                rows(episodes, points),
                matrix.description(),
                Math.sqrt(gram.squaredError(points)),
                Math.sqrt(gram.expectedSquaredErrorOfRandom(n)));
    }

    /** Selects all episodes, which needs no kernel and has no error. */
    public static EpisodeSelection all(LoggedEpisodes episodes) {
        return new EpisodeSelection(rows(episodes, WeightedPoints.all(episodes.count())), "none", 0, 0);
    }

    private static List<Row> rows(LoggedEpisodes episodes, WeightedPoints points) {
        return IntStream.range(0, points.size())
                .mapToObj(i -> {
                    int episode = points.indices()[i];
                    return new Row(
                            episodes.indices()[episode],
                            points.weights()[i],
                            episodes.steps().length(episode),
                            episodes.ids().get(episode));
                })
                .sorted(Comparator.comparingInt(Row::index))
                .toList();
    }

    /** The selection as a table for people. */
    public List<String> table() {
        boolean named = rows.stream().anyMatch(row -> !row.id.isEmpty());
        List<String> lines = new ArrayList<>();
        lines.add("  index  weight  length" + (named ? "  episode" : ""));
        for (Row row : rows) {
            lines.add(String.format(Locale.ROOT, "%7d  %.4f  %6d", row.index, row.weight, row.length)
                    + (named ? "  " + shortened(row.id) : ""));
        }
        return lines;
    }

    private static String shortened(String id) {
        String plain = Excerpt.first(id);
        return plain.length() <= MAX_ID_LENGTH ? plain : plain.substring(0, MAX_ID_LENGTH) + "…";
    }

    /** The errors of the selection, for people. */
    public List<String> verdict(int n) {
        String ratio = randomError > 0
                ? number(error / randomError) + "  (below 1 is better than random)"
                : "n/a: all episodes look the same to this kernel, so any selection is equally good";
        return List.of(
                "  wce     " + number(error)
                        + "  (worst-case error of the weighted mean score, in units of the kernel)",
                "  random  " + number(randomError) + "  (" + n
                        + " at random with equal weights: root of the mean square)",
                "  ratio   " + ratio);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3g", value);
    }

    /** The selection as CSV. */
    public String csv() {
        StringBuilder text = new StringBuilder(Csv.line("index", "weight", "id"));
        rows.forEach(row -> text.append(Csv.line(row.index, row.weight, row.id)));
        return text.toString();
    }
}
