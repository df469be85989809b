package dev.pgkq.app.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code metrics.csv}: a line of column names, then one row per iteration, each on disk before {@link #append} returns. A
 * resumed run repeats the iterations after its checkpoint, so their rows are removed first; in the end the file is what an
 * uninterrupted run would have written.
 */
public final class MetricsFile implements AutoCloseable {
    /** The first column of every metrics file. */
    public static final String ITERATION = "iteration";

    private final Path file;
    private final List<String> columns;
    private final FileChannel channel;

    private MetricsFile(Path file, List<String> columns) {
        this.file = file;
        this.columns = columns;
        try {
            this.channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    /** Creates a new file, or replaces the existing one. The first column is {@link #ITERATION}. */
    public static MetricsFile create(Path file, List<String> columns) {
        List<String> names = List.copyOf(columns);
        if (names.isEmpty() || !names.getFirst().equals(ITERATION)) {
            throw new IllegalArgumentException("the first column must be " + ITERATION + ", not " + names);
        }
        if (names.stream().anyMatch(name -> !name.matches("[A-Za-z0-9_./-]+"))
                || Set.copyOf(names).size() < names.size()) {
            throw new IllegalArgumentException("columns need different, plain names: " + names);
        }
        replace(file, List.of(String.join(",", names)));
        return new MetricsFile(file, names);
    }

    /**
     * Opens the file to continue after {@code lastIteration}: drops later rows and an incomplete line. If there is no file, or
     * its first line is incomplete, it is created. Columns that an older version did not write stay blank in its rows.
     *
     * @throws UserException if the file has unknown columns
     */
    public static MetricsFile openForResume(Path file, List<String> columns, long lastIteration) {
        if (!Files.exists(file)) {
            return create(file, columns);
        }
        List<String> lines = Metrics.wholeLines(file);
        if (lines.isEmpty()) {
            return create(file, columns);
        }
        replace(file, upTo(lastIteration, file, lines, columns));
        return new MetricsFile(file, List.copyOf(columns));
    }

    /** The column names and the rows up to an iteration. */
    static List<String> upTo(long lastIteration, Path file, List<String> lines, List<String> columns) {
        List<String> found = Metrics.cells(lines.getFirst());
        requireKnownColumns(file, found, columns);
        int kept = 0;
        double reached = Double.NEGATIVE_INFINITY;
        // rows after the last iteration are dropped unread: they may be damaged
        while (reached < lastIteration && 1 + kept < lines.size()) {
            reached = iteration(file, kept + 2, lines.get(1 + kept));
            kept += reached <= lastIteration ? 1 : 0;
        }
        List<String> rows = lines.subList(0, 1 + kept);
        return found.equals(columns) ? rows : rearranged(file, rows, found, columns);
    }

    private static List<String> rearranged(Path file, List<String> rows, List<String> found, List<String> columns) {
        List<String> lines = new ArrayList<>(List.of(String.join(",", columns)));
        for (int row = 1; row < rows.size(); row++) {
            List<String> cells = Metrics.cells(rows.get(row));
            if (cells.size() != found.size()) {
                throw new UserException(file + ", line " + (row + 1) + ": it has " + cells.size() + " values for "
                        + found.size() + " columns");
            }
            lines.add(columns.stream()
                    .map(name -> found.contains(name) ? cells.get(found.indexOf(name)) : "")
                    .collect(Collectors.joining(",")));
        }
        return lines;
    }

    private static double iteration(Path file, int number, String line) {
        try {
            return Double.parseDouble(Metrics.cells(line).getFirst());
        } catch (NumberFormatException e) {
            throw new UserException(file + ", line " + number + ": it has no " + ITERATION, e);
        }
    }

    /** The number of complete rows, whatever they contain; 0 if there is no file. */
    public static int rows(Path file) {
        return Files.exists(file) ? Math.max(0, Metrics.wholeLines(file).size() - 1) : 0;
    }

    /** Appends a row. Columns without a value stay empty. */
    public void append(Map<String, ? extends @Nullable Number> values) {
        if (values.get(ITERATION) == null) {
            throw new IllegalArgumentException("a row without its " + ITERATION + ": " + values);
        }
        if (!columns.containsAll(values.keySet())) {
            throw new IllegalArgumentException(
                    "no such columns: " + difference(values.keySet(), columns) + "; there are " + columns);
        }
        String row = columns.stream().map(name -> text(values.get(name))).collect(Collectors.joining(",", "", "\n"));
        ByteBuffer bytes = ByteBuffer.wrap(row.getBytes(UTF_8));
        try {
            WholeFile.writeFully(bytes, channel);
            channel.force(false);
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    /** Java prints the shortest text that is read back as the same float or double. */
    private static String text(@Nullable Number value) {
        return value == null ? "" : value.toString();
    }

    private static void requireKnownColumns(Path file, List<String> found, List<String> expected) {
        List<String> known = new ArrayList<>(expected);
        known.retainAll(found);
        if (found.equals(known)) {
            return;
        }
        Set<String> missing = difference(expected, found);
        Set<String> extra = difference(found, expected);
        StringBuilder message = new StringBuilder(file + " has other columns than this version writes");
        if (!missing.isEmpty()) {
            message.append("; missing: ").append(String.join(", ", missing));
        }
        if (!extra.isEmpty()) {
            message.append("; unknown: ").append(String.join(", ", extra));
        }
        if (missing.isEmpty() && extra.isEmpty()) {
            message.append("; the columns are in another order");
        }
        throw new UserException(
                Excerpt.first(message.toString())
                        + ". Resume with the version and the options that started the run, or start a new run in another folder.");
    }

    private static Set<String> difference(Iterable<String> names, List<String> without) {
        Set<String> left = new TreeSet<>();
        names.forEach(left::add);
        without.forEach(left::remove);
        return left;
    }

    private static void replace(Path file, List<String> lines) {
        WholeFile.replace(file, (String.join("\n", lines) + "\n").getBytes(UTF_8));
    }
}
