package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.app.Tool;
import dev.pgkq.app.config.Words;
import dev.pgkq.app.logged.EpisodeFile;
import dev.pgkq.app.logged.LoggedEpisodes;
import dev.pgkq.app.logged.RunKernel;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.training.TrainedRun;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.Quadrature;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectCommandTest {
    @TempDir
    private Path folder = Path.of("");

    /** Episodes of 3 observations and 1 action, like those of a pendulum, in two clusters. */
    private Path episodes(int count) throws IOException {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            List<String> observations = new ArrayList<>();
            List<String> actions = new ArrayList<>();
            for (int t = 0; t < 4 + i % 7; t++) {
                double centre = i % 3 == 0 ? 2 : -1;
                observations.add("[" + (centre + random.nextGaussian()) + ", " + random.nextGaussian() + ", "
                        + random.nextGaussian() + "]");
                actions.add("[" + random.nextGaussian() + "]");
            }
            text.append("{\"episode\": \"log, day ").append(i).append("\", \"observations\": ");
            text.append(observations).append(", \"actions\": ").append(actions).append("}\n");
        }
        return Files.writeString(folder.resolve("episodes.jsonl"), text);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("other.jsonl"), text);
    }

    private static String select(Path file, String... options) {
        Tool.Result result = Tool.run(args(file, options));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    private static String[] args(Path file, String... options) {
        List<String> args = new ArrayList<>(List.of("select", file.toString()));
        args.addAll(Arrays.asList(options));
        return args.toArray(String[]::new);
    }

    private static void refused(String words, Path file, String... options) {
        Tool.Result result = Tool.run(args(file, options));
        assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.err()).startsWith("pgkq: ").contains(words).doesNotContain("Exception");
        assertThat(result.out()).isEmpty();
    }

    /** The number after a word at the beginning of a line. */
    private static double told(String out, String word) {
        return out.lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(words -> words[0].equals(word))
                .mapToDouble(words -> Double.parseDouble(words[1]))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void eightOfThirtyInATableAndAFile() throws IOException {
        Path csv = folder.resolve("new/choice.csv");
        String out = select(episodes(30), "--out", csv.toString());
        assertThat(out)
                .contains("30 episodes of 4 to 10 steps, each with 3 observations and 1 action")
                .contains("kernel: Gaussian of standardized steps, length scale ")
                .contains("selected by search")
                .contains("index  weight  length  episode")
                .contains("the selection is in " + csv);
        List<String> rows = Files.readAllLines(csv);
        assertThat(rows.getFirst()).isEqualTo("index,weight,id");
        Set<Integer> chosen = new HashSet<>();
        double sum = 0;
        for (String row : rows.subList(1, rows.size())) {
            String[] cells = row.split(",", 3);
            chosen.add(Integer.valueOf(cells[0]));
            sum += Double.parseDouble(cells[1]);
            assertThat(cells[2]).isEqualTo("\"log, day " + cells[0] + "\"");
            assertThat(out).containsPattern("\\n +" + cells[0] + "  0\\.\\d{4} +\\d+  log, day " + cells[0] + "\\n");
        }
        assertThat(chosen).hasSize(rows.size() - 1).hasSizeBetween(2, 8);
        assertThat(sum).isCloseTo(1, within(1e-9));
        assertThat(told(out, "wce")).isLessThan(0.5 * told(out, "random"));
        assertThat(told(out, "ratio")).isCloseTo(told(out, "wce") / told(out, "random"), within(0.01));
    }

    @ParameterizedTest
    @ValueSource(strings = {"search", "thinning", "random"})
    void theSameSeedSelectsTheSameOnAnyNumberOfThreads(String rule) throws IOException {
        Path file = episodes(30);
        String[] options = {"--quadrature", rule, "--seed", "7"};
        String once = select(file, options);
        assertThat(select(file, options)).isEqualTo(once);
        assertThat(select(file, "--quadrature", rule, "--seed", "7", "--threads", "3"))
                .isEqualTo(once);
    }

    @Test
    void anotherSeedSelectsOtherEpisodes() throws IOException {
        Path file = episodes(30);
        assertThat(select(file, "--quadrature", "random", "--seed", "8"))
                .isNotEqualTo(select(file, "--quadrature", "random", "--seed", "7"));
    }

    @ParameterizedTest
    @EnumSource
    void everyRuleSelects(Quadrature rule) throws IOException {
        Path file = episodes(30);
        double search = told(select(file), "wce");
        String plain = select(file, "--quadrature", Words.of(rule), "--reweight", "none");
        String best = select(file, "--quadrature", Words.of(rule));
        assertThat(told(best, "wce")).isLessThanOrEqualTo(told(plain, "wce"));
        assertThat(told(best, "wce")).isGreaterThanOrEqualTo(0.99 * search);
    }

    /** For this size, training would use pursuit. */
    @Test
    void aSearchTakesItsTime() throws IOException {
        Path file = episodes(160);
        assertThat(told(select(file), "wce")).isLessThan(0.9 * told(select(file, "--quadrature", "pursuit"), "wce"));
    }

    @Test
    void otherKernels() throws IOException {
        Path file = episodes(30);
        assertThat(select(file, "--inputs", "raw")).contains("Gaussian of raw steps");
        assertThat(told(select(file, "--weights", "sum"), "random")).isGreaterThan(4 * told(select(file), "random"));
        double exact = told(select(file), "random");
        assertThat(told(select(file, "--gram", "features"), "random")).isCloseTo(exact, within(0.2 * exact));
    }

    @Test
    void whereThereAreNoMoreAllAreTaken() throws IOException {
        assertThat(select(episodes(5)))
                .contains("--n 8 selects all of them, each with the same weight")
                .contains("      4  0.2000       8  log, day 4")
                .doesNotContain("wce");
        assertThat(select(episodes(1), "--n", "1"))
                .contains("1 episode of 4 steps")
                .contains("      0  1.0000       4");
        assertThat(select(episodes(6), "--n", "5")).contains("wce");
    }

    @Test
    void episodesWithoutAStepAreLeftOut() throws IOException {
        String step = "{\"observations\": [[%d]], \"actions\": [[0]]}\n";
        String none = "{\"observations\": [], \"actions\": []}\n";
        String out = select(file(none + step.formatted(1) + none + step.formatted(2) + step.formatted(9)), "--n", "2");
        assertThat(out)
                .contains("3 episodes of 1 step,")
                .contains("skipped, because they have no steps: 0, 2")
                .doesNotContain("episode\n");
        assertThat(select(file(none.repeat(30) + step.formatted(1)))).contains("8, 9, … (30 in total)");
    }

    @Test
    void allTheSameIsSaid() throws IOException {
        String step = "{\"observations\": [[1], [1]], \"actions\": [[0], [0]]}\n";
        assertThat(select(file(step.repeat(5)), "--n", "2", "--weights", "sum"))
                .contains("ratio   n/a: all episodes look the same");
    }

    @Test
    void whatIsWrongIsSaidInALine() throws IOException {
        Path file = episodes(12);
        refused("missing.npz: it does not exist", folder.resolve("missing.npz"));
        refused("is empty", file(""));
        refused("line 1 has an episode without \"actions\"", file("{\"observations\": [[1]]}"));
        refused("--n needs a number of at least 1", file, "--n", "0");
        refused("--threads needs a number of at least 1", file, "--threads", "0");
        refused("--quadrature needs one of recombination, recombination-plain, herding", file, "--quadrature", "best");
        refused("--reweight needs one of none, simplex, got 'all'", file, "--reweight", "all");
        refused("--inputs needs one of standardized, raw", file, "--inputs", "ranks");
        refused("--weights needs one of mean, sum", file, "--weights", "max");
        refused("--gram needs one of exact, features", file, "--gram", "guess");
        refused("unknown option '--count'", file, "--count", "3");
        refused("is the file with the episodes: choose another one", file, "--out", file.toString());
        refused("cannot write", file, "--out", file + "/choice.csv");
        refused("is not a run directory", file, "--run", folder.toString());
        assertThat(Tool.run("select").err()).contains("missing required parameter: 'EPISODES'");
    }

    private Path trained(String... settings) {
        Path run = folder.resolve("run-" + String.join("-", settings).replaceAll("[^a-z0-9-]", ""));
        List<String> args = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--batch", "4", "--select", "2"));
        args.addAll(List.of("--iterations", "2", "--mean-epochs", "2", "--out", run.toString()));
        args.addAll(Arrays.asList(settings));
        Tool.Result result = Tool.run(args.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return run;
    }

    /** Option 1 with E1, no discount and x_t = 1 counts every step once: the kernel can be written down. */
    @Test
    void theKernelOfARun() throws IOException {
        Path file = episodes(10);
        Path run = trained(
                "--algo",
                "ppo-kq-no-mean",
                "--kernel",
                "scalar",
                "--estimator",
                "e1",
                "--discount",
                "1",
                "--seed",
                "3");
        LoggedEpisodes episodes = EpisodeFile.read(file, what -> {});
        Snapshot snapshot = new RunDirectory(run)
                .checkpoints()
                .newest()
                .orElseThrow()
                .saved()
                .snapshot();
        try (Workers workers = new Workers(2)) {
            DeepKernel.Settings settings = new DeepKernel.Settings(0, 0, 1, 2, 1, 1);
            DeepKernel kernel = new DeepKernel(4, settings, RandomStream.of(1, Purpose.CHECK), workers);
            kernel.restore("kernel", snapshot);
            float[] f = kernel.embed(episodes.steps().starts(), episodes.steps().stateActions());
            GramMatrix gram = new RunKernel(TrainedRun.open(run, warning -> {}), new ExactGram())
                    .matrix(episodes, workers)
                    .gram();
            int[] starts = episodes.steps().starts();
            for (int i = 0; i < 10; i++) {
                for (int j = 0; j < 10; j++) {
                    double sum = 0;
                    for (int t = starts[i]; t < starts[i + 1]; t++) {
                        for (int u = starts[j]; u < starts[j + 1]; u++) {
                            double squares = 0;
                            for (int k = 0; k < DeepKernel.FEATURES; k++) {
                                double difference = f[t * DeepKernel.FEATURES + k] - f[u * DeepKernel.FEATURES + k];
                                squares += difference * difference;
                            }
                            sum += Math.exp(kernel.scale() - squares / 20);
                        }
                    }
                    assertThat(gram.at(i, j)).isCloseTo(sum, within(1e-4 * sum));
                }
            }
        }
        assertThat(select(file, "--run", run.toString(), "--n", "3"))
                .contains("kernel: learned by " + run + ", iteration 2");
    }

    /** Policy scores, scores for whole episodes, reward models and features are all restored. */
    @Test
    void runsOfAllKindsWithAKernel() throws IOException {
        Path file = episodes(12);
        List<String> tables = new ArrayList<>();
        for (Path run : List.of(
                trained("--algo", "ppo-kq"),
                trained("--algo", "vpg-kq-plus"),
                trained("--algo", "ppo-kq", "--kernel", "scalar"),
                trained("--algo", "ppo-kq", "--reward", "rating"))) {
            String out = select(file, "--run", run.toString(), "--n", "4", "--threads", "1");
            assertThat(told(out, "wce")).isLessThan(told(out, "random"));
            assertThat(select(file, "--run", run.toString(), "--n", "4", "--threads", "2"))
                    .isEqualTo(out);
            assertThat(told(select(file, "--run", run.toString(), "--n", "4", "--gram", "features"), "random"))
                    .isCloseTo(told(out, "random"), within(0.3 * told(out, "random")));
            tables.add(out.substring(out.indexOf("index")));
        }
        assertThat(tables).doesNotHaveDuplicates();
    }

    @Test
    void optionsThatConflictWithARunAreRefused() throws IOException {
        Path file = episodes(12);
        Path run = trained("--algo", "ppo-large");
        refused("is a run of ppo-large, which learns no kernel", file, "--run", run.toString());
        refused("--inputs cannot be combined with --run", file, "--run", run.toString(), "--inputs", "raw");
        refused("--weights cannot be combined with --run", file, "--run", run.toString(), "--weights", "sum");
        String two = "{\"observations\": [[1, 2]], \"actions\": [[0]]}\n";
        refused(
                "have 3 observations and 1 action, but the logged steps have 2 and 1; specify a run of the same task",
                file(two + two + two),
                "--n",
                "2",
                "--run",
                run.toString());
    }
}
