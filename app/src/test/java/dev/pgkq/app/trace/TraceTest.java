package dev.pgkq.app.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.trace.TraceReader.RecordedEpisode;
import dev.pgkq.app.trace.TraceWriter.Keeping;
import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.env.Environment;
import dev.pgkq.env.Playback;
import dev.pgkq.env.Recording;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Episode;
import dev.pgkq.model.Learner;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.Rewards;
import dev.pgkq.select.Forecast;
import dev.pgkq.select.Selection;
import dev.pgkq.state.Tensor;
import dev.pgkq.text.UserException;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.Observer;
import dev.pgkq.train.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TraceTest {
    private static final Task TASK = Tasks.named("Pendulum-v1");
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path run;

    private final List<String> complaints = new ArrayList<>();

    private TraceWriter writer(int after, long bytes) {
        return TraceWriter.open(new RunDirectory(run).trace(), TASK, after, Keeping.upTo(bytes), complaints::add);
    }

    private static Trainer trainer(String algorithm) {
        Map<Setting, Given> given = Map.of(
                Setting.ALGO, new Given(algorithm, "test"),
                Setting.BATCH, new Given("12", "test"),
                Setting.SELECT, new Given("4", "test"));
        return new Trainer(TASK, RunConfig.of(given).trainSettings(), 2);
    }

    /** Records what it observes, to compare it with the files. */
    private static class Witness implements Observer {
        private final Observer other;
        private List<Episode> batch = List.of();
        private double[] monitored = {};

        Witness(Observer other) {
            this.other = other;
        }

        @Override
        public void chosen(int iteration, EpisodeBatch sampled, Selection selection) {
            batch = sampled.take(IntStream.range(0, sampled.size()).toArray());
            other.chosen(iteration, sampled, selection);
        }

        @Override
        public void paid(int iteration, PaidBatch paid, Learner learner) {
            other.paid(iteration, paid, learner);
        }

        @Override
        public void finished(IterationReport report, double[] rewards) {
            monitored = rewards;
            other.finished(report, rewards);
        }
    }

    @Test
    void whatQuadratureSawIsKept() {
        try (Trainer trainer = trainer("ppo-kq")) {
            Witness witness = new Witness(writer(0, 1 << 20));
            trainer.iterate(witness);
            trainer.iterate(witness);
            IterationReport report = trainer.iterate(witness);
            TraceReader reader = TraceReader.of(run);
            assertThat(reader.iterations()).containsExactly(1, 2, 3);
            JsonNode last = JSON.readTree(reader.iteration(3).orElseThrow());
            assertThat(last.get("lengths")).hasSize(12);
            assertThat(last.get("map").get("x")).hasSize(12);
            assertThat(last.get("map").get("share").get(0).asDouble()).isBetween(0.1, 1.0);
            assertThat(last.get("weights")).hasSameSizeAs(last.get("chosen")).hasSizeBetween(1, 4);
            double weight = 0;
            for (int i = 0; i < last.get("chosen").size(); i++) {
                int index = last.get("chosen").get(i).asInt();
                weight += last.get("weights").get(i).asDouble();
                // here what is paid for is what is monitored
                assertThat(last.get("paid").get(i).asDouble())
                        .isCloseTo(last.get("returns").get(index).asDouble(), offset(1e-2));
                assertThat(last.get("paid").get(i).asDouble()).isCloseTo(witness.monitored[index], offset(1e-3));
            }
            assertThat(weight).isCloseTo(1, offset(1e-5));
            assertThat(last.get("predicted")).hasSize(12);
            assertThat(last.get("wce").asDouble()).isCloseTo(report.choice().error(), withPercentage(1e-4));
            assertThat(complaints).isEmpty();
        }
    }

    @Test
    void whatWasExpectedOfTheChoiceIsKept() {
        try (Trainer trainer = trainer("ppo-kq-bayes")) {
            List<Forecast> forecasts = new ArrayList<>();
            Witness witness = new Witness(writer(0, 1 << 20)) {
                @Override
                public void chosen(int iteration, EpisodeBatch sampled, Selection selection) {
                    forecasts.add(selection.forecast().orElseThrow());
                    super.chosen(iteration, sampled, selection);
                }
            };
            trainer.iterate(witness);
            trainer.iterate(witness);
            TraceReader reader = TraceReader.of(run);
            JsonNode first = JSON.readTree(reader.iteration(1).orElseThrow()).get("forecast");
            assertThat(first.get("errors")).hasSize(5).allMatch(JsonNode::isNull);
            assertThat(first.get("next").isNull()).isTrue();
            assertThat(first.get("inflation").asDouble()).isEqualTo(1);
            JsonNode second = JSON.readTree(reader.iteration(2).orElseThrow()).get("forecast");
            double[] errors = forecasts.getLast().errors();
            assertThat(errors).hasSize(5);
            for (int i = 0; i < errors.length; i++) {
                assertThat(second.get("errors").get(i).asDouble()).isCloseTo(errors[i], withPercentage(1e-4));
            }
            assertThat(second.get("next").asDouble())
                    .isCloseTo(forecasts.getLast().next(), withPercentage(1e-4))
                    .isLessThan(errors[4]);
            assertThat(second.get("inflation").asDouble())
                    .isCloseTo(forecasts.getLast().inflation(), withPercentage(1e-4));
        }
    }

    @Test
    void withoutAKernelThereIsNoMap() {
        try (Trainer trainer = trainer("ppo-large")) {
            trainer.iterate(writer(0, 1 << 20));
            JsonNode only = JSON.readTree(TraceReader.of(run).iteration(1).orElseThrow());
            assertThat(only.get("map").isNull()).isTrue();
            assertThat(only.get("predicted").isNull()).isTrue();
            assertThat(only.get("forecast").isNull()).isTrue();
            assertThat(only.get("chosen")).hasSize(12);
        }
    }

    @Test
    @Tag("slow")
    void episodesCanBeReplayedAsSoonAsTheyAreChosen() {
        try (Trainer trainer = trainer("ppo-kq")) {
            List<Integer> found = new ArrayList<>();
            Witness witness = new Witness(writer(0, 1 << 20)) {
                @Override
                public void paid(int iteration, PaidBatch paid, Learner learner) {
                    RecordedEpisode before =
                            TraceReader.of(run).episode(iteration, 5).orElseThrow();
                    assertThat(before.rewards()).isEmpty();
                    found.add(before.length());
                    super.paid(iteration, paid, learner);
                }
            };
            trainer.iterate(witness);
            TraceReader reader = TraceReader.of(run);
            JsonNode only = JSON.readTree(reader.iteration(1).orElseThrow());
            int chosen = only.get("chosen").get(0).asInt();
            RecordedEpisode episode = reader.episode(1, chosen).orElseThrow();
            assertThat(found).containsExactly(200);
            assertThat(episode.stateSize()).isEqualTo(2);
            for (int i = 0; i < episode.states().length; i++) {
                assertThat(episode.states()[i])
                        .isEqualTo((float) witness.batch.get(chosen).states()[i]);
            }
            assertThat(episode.rewards().orElseThrow()).hasSize(200);
            try (EnvironmentReward reward = new EnvironmentReward(TASK)) {
                Rewards paid =
                        reward.evaluate(List.of(witness.batch.get(chosen))).getFirst();
                assertThat(episode.rewards().orElseThrow()[7]).isEqualTo((float) paid.values()[7]);
            }
            assertThat(reader.episode(1, 12)).isEmpty();
            assertThat(reader.episode(2, 0)).isEmpty();
        }
    }

    /** Rewards can take hours; until they arrive, only the selection can be shown. */
    @Test
    void aChoiceIsKeptWhileItsRewardsAreAwaited() {
        try (Trainer trainer = trainer("ppo-kq")) {
            List<JsonNode> found = new ArrayList<>();
            Witness witness = new Witness(writer(0, 1 << 20)) {
                @Override
                public void paid(int iteration, PaidBatch paid, Learner learner) {
                    found.add(await(iteration));
                    super.paid(iteration, paid, learner);
                }
            };
            trainer.iterate(witness);
            JsonNode before = found.getFirst();
            JsonNode after = JSON.readTree(TraceReader.of(run).iteration(1).orElseThrow());
            assertThat(before.get("awaited").asBoolean()).isTrue();
            assertThat(after.has("awaited")).isFalse();
            for (String same : List.of("iteration", "lengths", "endings", "chosen", "weights")) {
                assertThat(before.get(same)).as(same).isEqualTo(after.get(same));
            }
            assertThat(before.get("map").get("share"))
                    .isEqualTo(after.get("map").get("share"));
            assertThat(before.get("returns")).hasSize(12).allMatch(JsonNode::isNull);
            assertThat(before.get("paid")).hasSameSizeAs(before.get("chosen")).allMatch(JsonNode::isNull);
            assertThat(after.get("paid")).noneMatch(JsonNode::isNull);
            assertThat(complaints).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void aForecastIsKeptWhileRewardsAreAwaited() {
        try (Trainer trainer = trainer("ppo-kq-bayes")) {
            Observer writer = writer(0, 1 << 20);
            trainer.iterate(writer);
            List<JsonNode> found = new ArrayList<>();
            trainer.iterate(new Witness(writer) {
                @Override
                public void paid(int iteration, PaidBatch paid, Learner learner) {
                    found.add(await(iteration));
                    super.paid(iteration, paid, learner);
                }
            });
            JsonNode after = JSON.readTree(TraceReader.of(run).iteration(2).orElseThrow());
            assertThat(found.getFirst().get("awaited").asBoolean()).isTrue();
            assertThat(found.getFirst().get("forecast")).isEqualTo(after.get("forecast"));
            assertThat(after.get("forecast").get("errors")).hasSize(5).noneMatch(JsonNode::isNull);
        }
    }

    /** Otherwise a run that fails and is continued at once shows an iteration as awaited that has long ended. */
    @Test
    void aClosedTraceWritesNothingMore() throws InterruptedException {
        try (Trainer trainer = trainer("ppo-kq")) {
            try (TraceWriter writer = writer(0, 1 << 20)) {
                Observer failing = new Witness(writer) {
                    @Override
                    public void chosen(int iteration, EpisodeBatch sampled, Selection selection) {
                        super.chosen(iteration, sampled, selection);
                        throw new UserException("no rewards");
                    }
                };
                assertThatThrownBy(() -> trainer.iterate(failing)).hasMessage("no rewards");
            }
            Thread.sleep(TraceWriter.SOON.plusMillis(500));
            assertThat(TraceReader.of(run).iterations()).isEmpty();
        }
    }

    private JsonNode await(int iteration) {
        TraceReader reader = TraceReader.of(run);
        while (reader.iteration(iteration).isEmpty()) {
            LockSupport.parkNanos(10_000_000);
        }
        return JSON.readTree(reader.iteration(iteration).orElseThrow());
    }

    /** An iteration's states take 12 × 201 × 2 × 4 bytes. */
    @Test
    void theOldestEpisodesMakeRoom() {
        try (Trainer trainer = trainer("ppo-kq")) {
            Observer writer = writer(0, 60_000);
            for (int i = 0; i < 5; i++) {
                trainer.iterate(writer);
            }
            assertThat(TraceReader.of(run).withEpisodes()).containsExactly(4, 5);
            assertThat(TraceReader.of(run).iterations()).hasSize(5);
        }
    }

    /** A picture has a kilobyte, so that there is room for those of one iteration. */
    @Test
    void picturesOfChosenEpisodesAreKeptAndMakeRoomWithTheEpisodes() {
        Function<Episode, Recording> recordings = episode -> {
            byte[] picture = new byte[1000];
            Arrays.fill(picture, (byte) episode.index());
            List<Recording.Frame> frames =
                    List.of(new Recording.Frame(0, picture), new Recording.Frame(200, new byte[] {7}));
            return new Recording(List.of(), frames, 12.5);
        };
        Path trace = new RunDirectory(run).trace();
        TraceWriter writer = TraceWriter.open(trace, TASK, 0, Keeping.upTo(1), recordings, complaints::add);
        try (Trainer trainer = trainer("ppo-random")) {
            trainer.iterate(writer);
            TraceReader reader = TraceReader.of(run);
            JsonNode chosen = JSON.readTree(reader.iteration(1).orElseThrow()).get("chosen");
            for (int index = 0; index < 12; index++) {
                int wanted = index;
                boolean isChosen = chosen.valueStream().anyMatch(each -> each.asInt() == wanted);
                assertThat(reader.hasFrames(1, index)).isEqualTo(isChosen);
                assertThat(reader.frames(1, index).isPresent()).isEqualTo(isChosen);
            }
            int first = chosen.get(0).asInt();
            Recording shown = reader.frames(1, first).orElseThrow();
            assertThat(shown.framesPerSecond()).isEqualTo(12.5);
            assertThat(shown.frames()).extracting(Recording.Frame::step).containsExactly(0, 200);
            assertThat(shown.frames().getFirst().png()).hasSize(1000).containsOnly(first);
            trainer.iterate(writer);
            assertThat(trace.resolve("episodes/000001.frames.zip")).doesNotExist();
            assertThat(trace.resolve("episodes/000002.frames.zip")).exists();
            // tasks in Java are not played again
            assertThat(reader.playback(2, first)).isEmpty();
        }
        assertThat(complaints).isEmpty();
    }

    @Test
    void howToPlayAnEpisodeAgainIsKeptExactly() {
        Playback playback = new Playback((1L << 31) - 3, new float[] {1, 2, 3, 4}, new int[] {(1 << 24) - 1, 5});
        Map<String, Tensor> tensors = PlaybackTensors.of(3, playback);
        Playback read = PlaybackTensors.read(name -> Optional.ofNullable(tensors.get(name)), 3)
                .orElseThrow();
        assertThat(read.seed()).isEqualTo((1L << 31) - 3);
        assertThat(read.actions()).containsExactly(1, 2, 3, 4);
        assertThat(read.checks()).containsExactly((1 << 24) - 1, 5);
        assertThat(PlaybackTensors.read(name -> Optional.ofNullable(tensors.get(name)), 4))
                .isEmpty();
    }

    /** Raters who compare episodes of several iterations need all of them. */
    @Test
    void whatPeopleNeedIsKeptOrTrainingStops() throws IOException {
        Path trace = new RunDirectory(run).trace();
        try (Trainer trainer = trainer("ppo-kq")) {
            Observer writer = TraceWriter.open(trace, TASK, 0, new Keeping(1, 3, true), complaints::add);
            for (int i = 0; i < 5; i++) {
                trainer.iterate(writer);
            }
            assertThat(TraceReader.of(run).withEpisodes()).containsExactly(3, 4, 5);
            for (Path file : Files.list(trace.resolve("episodes")).toList()) {
                Files.delete(file);
            }
            Files.delete(trace.resolve("episodes"));
            Files.writeString(trace.resolve("episodes"), "a file where a folder should be");
            assertThatThrownBy(() -> trainer.iterate(writer)).isInstanceOf(UserException.class);
        }
    }

    @Test
    @Tag("slow")
    void noneAreKeptWhereThereIsNoRoom() {
        try (Trainer trainer = trainer("ppo-kq")) {
            trainer.iterate(writer(0, 0));
            assertThat(TraceReader.of(run).withEpisodes()).isEmpty();
            assertThat(TraceReader.of(run).iterations()).containsExactly(1);
        }
    }

    @Test
    void goingOnAfterAnIterationForgetsLaterOnes() {
        try (Trainer trainer = trainer("ppo-kq")) {
            Observer writer = writer(0, 1 << 20);
            for (int i = 0; i < 3; i++) {
                trainer.iterate(writer);
            }
            writer(1, 1 << 20);
            assertThat(TraceReader.of(run).withEpisodes()).containsExactly(1);
            assertThat(TraceReader.of(run).iterations()).containsExactly(1);
        }
    }

    @Test
    void trainingContinuesIfNothingCanBeWritten() throws IOException {
        Files.writeString(new RunDirectory(run).trace(), "a file where a folder should be");
        try (Trainer trainer = trainer("ppo-kq")) {
            Observer writer = writer(0, 1 << 20);
            trainer.iterate(writer);
            assertThat(trainer.iterate(writer).iteration()).isEqualTo(2);
        }
        assertThat(complaints).hasSize(1);
        assertThat(complaints.getFirst()).contains("trace").contains("training continues");
    }

    @Test
    void theFigureIsThere() {
        writer(0, 0);
        JsonNode figure = JSON.readTree(TraceReader.of(run).figure().orElseThrow());
        try (Environment pendulum = TASK.open()) {
            assertThat(figure.get("shapes"))
                    .hasSameSizeAs(pendulum.figure().orElseThrow().capsules());
        }
        assertThat(figure.get("joints").get(0).get("kind").asString()).isEqualTo("hinge");
        assertThat(figure.get("ground").isNull()).isTrue();
    }
}
