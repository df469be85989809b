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
 * The episodes that should be scored, and with what weight a score counts.
 *
 * @param rows in the order of the file
 * @param description of the kernel that chose them
 * @param error wce of the choice
 * @param errorOfRandom root of the mean wce² of as many at random
 */
public record Choice(List<Row> rows, String description, double error, double errorOfRandom) {
    private static final int WIDEST_ID = 60;

    /** A chosen episode: its place in the file from 0, its weight, its number of steps, and its name if it has one. */
    public record Row(int index, double weight, int length, String id) {}

    /** Chooses n of the episodes by a rule. */
    public static Choice of(
            LoggedEpisodes episodes, int n, EpisodeKernel kernel, QuadratureRule rule, long seed, Workers workers) {
        EpisodeKernel.Seen seen = kernel.of(episodes, workers);
        GramMatrix gram = seen.gram();
        WeightedPoints points = rule.choose(gram, n, RandomStream.of(seed, Purpose.SELECTION));
        return new Choice(
                rows(episodes, points),
                seen.description(),
                Math.sqrt(gram.squaredError(points)),
                Math.sqrt(gram.expectedSquaredErrorOfRandom(n)));
    }

    /** All of them, which needs no kernel and leaves no error. */
    public static Choice all(LoggedEpisodes episodes) {
        return new Choice(rows(episodes, WeightedPoints.all(episodes.count())), "none", 0, 0);
    }

    private static List<Row> rows(LoggedEpisodes episodes, WeightedPoints points) {
        return IntStream.range(0, points.size())
                .mapToObj(i -> {
                    int episode = points.indices()[i];
                    return new Row(
                            episodes.places()[episode],
                            points.weights()[i],
                            episodes.steps().length(episode),
                            episodes.ids().get(episode));
                })
                .sorted(Comparator.comparingInt(Row::index))
                .toList();
    }

    /** The table for people. */
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
        return plain.length() <= WIDEST_ID ? plain : plain.substring(0, WIDEST_ID) + "…";
    }

    /** How good it is, for people. */
    public List<String> verdict(int n) {
        String ratio = errorOfRandom > 0
                ? number(error / errorOfRandom)
                : "n/a: all episodes look the same to this kernel, and any choice is as good";
        return List.of(
                "  wce     " + number(error),
                "  random  " + number(errorOfRandom) + "  (" + n
                        + " at random with equal weights: root of the mean square)",
                "  ratio   " + ratio);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3g", value);
    }

    /** The table for programs. */
    public String csv() {
        StringBuilder text = new StringBuilder(Csv.line("index", "weight", "id"));
        rows.forEach(row -> text.append(Csv.line(row.index, row.weight, row.id)));
        return text.toString();
    }
}
