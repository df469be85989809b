package dev.pgkq.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.nn.TargetUnits;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.rewards.files.Safetensors.Contents;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.Base;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.TrainSettings.Baseline;
import dev.pgkq.train.TrainSettings.Model;
import dev.pgkq.train.TrainSettings.Preset;
import dev.pgkq.train.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/checkpoints.md} lists what is in the checkpoints of all algorithms, and nothing else. */
class CheckpointPageTest {
    private static final Path PAGE = Path.of("..", "docs", "checkpoints.md");
    private static final Pattern FIRST_CELL = Pattern.compile("^\\| (`[^|]*) \\|", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");
    /** What stands for something else in a name. */
    private static final Pattern PLACE = Pattern.compile("\\{l\\}|\\{i\\}|\\{network\\}|…");
    /** Of runs with external rewards, some of which are missing; see {@code SavedPayments}. */
    private static final Pattern OF_PAYMENTS = Pattern.compile("(paid|lost)/.*|counter/iterations_without_rewards");

    @TempDir
    private Path folder;

    private static Set<String> shown(String heading) throws IOException {
        String section =
                Files.readString(PAGE).split("\n## " + heading + "\n", 2)[1].split("\n## ", 2)[0];
        return FIRST_CELL
                .matcher(section)
                .results()
                .flatMap(cell -> NAME.matcher(cell.group(1)).results())
                .map(name -> name.group(1))
                .filter(name -> !OF_PAYMENTS.matcher(name).matches())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A pattern for names, from a name in a table. */
    private static Pattern pattern(String shown) {
        StringBuilder pattern = new StringBuilder();
        int end = 0;
        for (MatchResult place : PLACE.matcher(shown).results().toList()) {
            pattern.append(Pattern.quote(shown.substring(end, place.start())));
            pattern.append(
                    switch (place.group()) {
                        case "…" -> ".+";
                        case "{network}" -> "[a-z_]+";
                        default -> "\\d+";
                    });
            end = place.end();
        }
        return Pattern.compile(pattern + Pattern.quote(shown.substring(end)));
    }

    private Contents saved(String task, TrainSettings settings) {
        Task named = Tasks.named(task);
        Path checkpoints = folder.resolve(settings.hashCode() + task);
        try (Trainer trainer = new Trainer(named, quick(settings), 2)) {
            trainer.iterate();
            new Checkpoints(checkpoints).save(new Checkpoints.Saved(trainer.snapshot(), "numerics"));
        }
        return Safetensors.read(checkpoints.resolve("iteration-000001.safetensors"));
    }

    /** With the same entries as the settings, but few episodes and updates. */
    private static TrainSettings quick(TrainSettings settings) {
        Model model = settings.model();
        Minibatches one = new Minibatches(1, 1);
        return settings.withBatch(3)
                .withSelect(2)
                .withBaseline(new Baseline(one, 1e-3))
                .withModel(new Model(
                        new RewardModel.Settings(one, 1e-3, model.mean().memory()), model.learn(), model.correction()));
    }

    private static TrainSettings defaults(String algorithm) {
        return TrainSettings.defaults(Algorithm.named(algorithm), 1);
    }

    /** Checkpoints that together have every kind of entry. */
    private List<Contents> checkpoints() {
        TrainSettings kq = defaults("ppo-kq");
        TrainSettings rated =
                TrainSettings.defaults(Preset.STANDARD, Algorithm.named("ppo-kq-bayes"), Grain.EPISODE, 1);
        Stream<Contents> ofAlgorithms = Algorithm.all().stream()
                .filter(algorithm -> algorithm.base() == Base.PPO)
                .map(algorithm -> saved("Pendulum-v1", TrainSettings.defaults(algorithm, 1)));
        Stream<Contents> others = Stream.of(
                saved("CartPole-v1", kq),
                saved("CartPole-v1", rated),
                saved("Pendulum-v1", kq.withTargets(TargetUnits.RAW)),
                saved("Pendulum-v1", kq.withNormalizedObservations(true)));
        return Stream.concat(ofAlgorithms, others).toList();
    }

    @Test
    void theTablesListWhatCheckpointsHold() throws IOException {
        List<Contents> files = checkpoints();
        assertListed("Tensors", files.stream().flatMap(file -> file.tensors().keySet().stream()));
        assertListed("Metadata", files.stream().flatMap(file -> file.metadata().keySet().stream()));
    }

    private static void assertListed(String heading, Stream<String> held) throws IOException {
        List<Pattern> patterns =
                shown(heading).stream().map(CheckpointPageTest::pattern).toList();
        List<String> names = held.distinct().sorted().toList();
        assertThat(names)
                .as("entries that the table '%s' does not list", heading)
                .allSatisfy(name -> assertThat(patterns)
                        .as(name)
                        .anyMatch(pattern -> pattern.matcher(name).matches()));
        assertThat(patterns)
                .as("entries of the table '%s' that no checkpoint has", heading)
                .allSatisfy(pattern -> assertThat(names)
                        .as(pattern.pattern())
                        .anyMatch(name -> pattern.matcher(name).matches()));
    }
}
