package dev.pgkq.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.statistics.Interval;
import dev.pgkq.statistics.StudentT;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The differences in {@code docs/results/README.md} follow from the runs in {@code docs/results/data}. */
class ResultsPageTest {
    private static final Path RESULTS = Path.of("..", "docs", "results");

    private static final Map<String, String> GRIDS = Map.of(
            "Reproduction of the paper", "preset-paper",
            "The defaults beside it", "defaults",
            "One score for a whole episode", "rating",
            "Sparse rewards", "sparse",
            "Noise in every reward", "noise",
            "The paper's figure", "paper");

    private static final Map<String, String> STATISTICS = Map.of("AUC", "auc", "at 200 paid", "return_at_budget");

    private static final Pattern DIFFERENCE = Pattern.compile("(\\*\\*)?(\\S+) \\[(\\S+), (\\S+)](?:\\*\\*)?");

    /** Task (and perhaps its reward), base, variant, label, statistic, value. */
    private static final Pattern RUN =
            Pattern.compile("([^,( ]+)[^,]*,([^,]*),[^,]*,\"(.+), seed (\\d+)\",([^,]+),([^,]+),.*");

    /** A cell of a table: {@code first} minus {@code second}. */
    private record Cell(
            String grid, String task, String base, String statistic, String first, String second, String shown) {}

    private static List<Cell> cells() throws IOException {
        List<Cell> cells = new ArrayList<>();
        String grid = "";
        String[] header = {};
        String[] group = {"", ""};
        for (String line : Files.readAllLines(RESULTS.resolve("README.md"))) {
            String[] row =
                    Arrays.stream(line.split("\\|", -1)).map(String::strip).toArray(String[]::new);
            if (line.startsWith("#")) {
                grid = GRIDS.getOrDefault(line.replaceFirst("#+ ", ""), "");
            } else if (!line.startsWith("|")) {
                header = new String[0];
            } else if (header.length == 0) {
                header = row;
            } else if (row[1].startsWith("**")) {
                group = row[1].replace("**", "").split(", ");
            } else if (!grid.isEmpty()) {
                addRow(cells, grid, header, group, row);
            }
        }
        return cells;
    }

    private static void addRow(List<Cell> cells, String grid, String[] header, String[] group, String[] row) {
        for (int i = 2; i < row.length; i++) {
            String[] words = header[i].split(", ");
            String shown = row[i];
            if (!DIFFERENCE.matcher(shown).matches()) {
                continue;
            }
            if (header[1].equals("`kq-plus` minus")) {
                cells.add(new Cell(grid, words[0], "ppo", words[1], "kq-plus", row[1], shown));
            } else if (header[1].equals("AUC")) {
                String[] pair = row[1].split(" − ");
                cells.add(new Cell(grid, words[0], words[1], "AUC", pair[0], pair[1], shown));
            } else {
                String[] pair = header[i].split(" minus ");
                cells.add(new Cell(grid, group[0], group[1], pair[0], row[1], pair[1], shown));
            }
        }
    }

    /** The values of each algorithm by seed: those of {@code auc Hopper-v4 ppo kq-plus}, for instance. */
    private static Map<String, Map<String, Double>> runs(String grid) throws IOException {
        Map<String, Map<String, Double>> runs = new HashMap<>();
        for (String line : Files.readAllLines(RESULTS.resolve(Path.of("data", grid + "-summary.csv")))) {
            Matcher run = RUN.matcher(line);
            if (run.matches()) {
                String key = String.join(" ", run.group(5), run.group(1), run.group(2), run.group(3));
                runs.computeIfAbsent(key, any -> new TreeMap<>()).put(run.group(4), Double.valueOf(run.group(6)));
            }
        }
        return runs;
    }

    private static Map<String, Double> values(Map<String, Map<String, Double>> runs, Cell cell, String algorithm) {
        String task = cell.task.replace("pendulum", "InvertedDoublePendulum-v4");
        String key = String.join(
                " ",
                Objects.requireNonNull(STATISTICS.get(cell.statistic)),
                task,
                cell.base.toLowerCase(Locale.ROOT),
                algorithm.replace("`", ""));
        assertThat(runs).as(cell.toString()).containsKey(key);
        return Objects.requireNonNull(runs.get(key));
    }

    private static void assertShown(Cell cell, String shown, double value) {
        String number = shown.replace("−", "-").replace(",", "");
        int decimals = number.contains(".") ? number.length() - number.indexOf('.') - 1 : 0;
        double rounding = 0.5001 * Math.pow(10, -decimals);
        assertThat(Double.parseDouble(number)).as(cell.toString()).isCloseTo(value, within(rounding));
    }

    @Test
    void differencesAndIntervalsAreThoseOfTheRuns() throws IOException {
        List<Cell> cells = cells();
        assertThat(cells).hasSizeGreaterThan(150);
        Map<String, Map<String, Map<String, Double>>> grids = new HashMap<>();
        for (String grid : GRIDS.values()) {
            grids.put(grid, runs(grid));
        }
        for (Cell cell : cells) {
            Map<String, Map<String, Double>> runs = Objects.requireNonNull(grids.get(cell.grid));
            Map<String, Double> first = values(runs, cell, cell.first);
            Map<String, Double> second = values(runs, cell, cell.second);
            assertThat(first.keySet()).as(cell.toString()).hasSizeGreaterThan(1).isEqualTo(second.keySet());
            double[] differences = first.entrySet().stream()
                    .mapToDouble(run -> run.getValue() - Objects.requireNonNull(second.get(run.getKey())))
                    .toArray();
            Interval interval = StudentT.ofMean(differences, 0.95);

            Matcher shown = DIFFERENCE.matcher(cell.shown);
            assertThat(shown.matches()).isTrue();
            assertShown(
                    cell, shown.group(2), Arrays.stream(differences).average().orElseThrow());
            assertShown(cell, shown.group(3), interval.low());
            assertShown(cell, shown.group(4), interval.high());
            assertThat(shown.group(1) != null)
                    .as("bold: %s", cell)
                    .isEqualTo(interval.low() > 0 || interval.high() < 0);
        }
    }
}
