package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.trace.TraceReader;
import dev.pgkq.env.Recording;
import dev.pgkq.gym.TestPython;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What oracles and people see of environments: infos, pictures, animations. */
class RecordedEpisodesTest {
    private static final String FILM = "python:src.test.resources.python.filmed:Film";
    private static final String JUDGE = "python:src.test.resources.python.filmed:score";

    @TempDir
    private Path folder = Path.of("");

    private Tool.Result train(Path run, String env, String... more) {
        List<String> args = new ArrayList<>(List.of("train", "--env", env, "--batch", "6", "--select", "3"));
        args.addAll(List.of("--iterations", "1", "--threads", "2", "--out", run.toString()));
        args.addAll(Arrays.asList(more));
        Tool.Result result = Tool.run(args.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result;
    }

    private static Tool.Result done(String... args) {
        Tool.Result result = Tool.run(args);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result;
    }

    private static void refused(String words, String... args) {
        Tool.Result result = Tool.run(args);
        assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(2);
        assertThat(result.err()).startsWith("pgkq: ").contains(words).doesNotContain("Exception", "\tat ");
    }

    /** The pictures of an animation, and how long each is shown, in hundredths of a second. */
    private record Animation(List<BufferedImage> pictures, List<Integer> hundredths) {
        static Animation read(Path file) throws IOException {
            ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
            Animation animation = new Animation(new ArrayList<>(), new ArrayList<>());
            try (ImageInputStream in = ImageIO.createImageInputStream(file.toFile())) {
                reader.setInput(in);
                for (int i = 0; i < reader.getNumImages(true); i++) {
                    animation.pictures.add(reader.read(i));
                    IIOMetadataNode root =
                            (IIOMetadataNode) reader.getImageMetadata(i).getAsTree("javax_imageio_gif_image_1.0");
                    IIOMetadataNode control = (IIOMetadataNode)
                            root.getElementsByTagName("GraphicControlExtension").item(0);
                    animation.hundredths.add(Integer.valueOf(control.getAttribute("delayTime")));
                }
            }
            return animation;
        }
    }

    @Test
    void aJudgeSeesInfosAndPicturesAndATaskWithoutARewardShowsNone() throws IOException {
        String python = TestPython.withGymnasium();
        Path run = folder.resolve("run");
        List<String> settings = List.of("--python", python, "--reward", JUDGE, "--reward-per", "episode");
        List<String> seen = List.of("--infos", "true", "--frames", "3", "--task-reward", "none");
        List<String> all = new ArrayList<>(settings);
        all.addAll(seen);
        Tool.Result trained = train(run, FILM, all.toArray(String[]::new));
        assertThat(trained.out() + trained.err())
                .contains("by the rewards paid for")
                .doesNotContain("task return", "task's own");

        // the judge counted the steps in the last picture, and in the last info
        TraceReader trace = TraceReader.of(run);
        JsonNode iteration = new JsonMapper().readTree(trace.iteration(1).orElseThrow());
        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < iteration.get("chosen").size(); i++) {
            int index = iteration.get("chosen").get(i).asInt();
            chosen.add(index);
            assertThat(iteration.get("paid").get(i).asInt())
                    .isEqualTo(101 * iteration.get("lengths").get(index).asInt());
        }
        assertThat(chosen).isNotEmpty();
        for (int index = 0; index < 6; index++) {
            assertThat(trace.hasFrames(1, index)).isEqualTo(chosen.contains(index));
            assertThat(iteration.get("returns").get(index).isNull()).isTrue();
        }
        assertThat(trace.frames(1, chosen.getFirst()).orElseThrow().frames())
                .extracting(Recording.Frame::step)
                .hasSize(3)
                .startsWith(0);

        Metrics metrics = Metrics.read(run.resolve("metrics.csv"));
        assertThat(metrics.column("return_mean")).containsExactly(Double.NaN);
        assertThat(metrics.column("return_se")).containsExactly(Double.NaN);
        assertThat(metrics.column("paid_return")[0]).isBetween(500.0, 1200.0);
        assertThat(run.resolve("curve.png")).exists();
        Tool.Result evaluated = done("evaluate", run.toString(), "--episodes", "3");
        assertThat(evaluated.out())
                .contains("The task has no reward of its own", "length")
                .doesNotContain("task return");
        Tool.Result paid = done("evaluate", run.toString(), "--episodes", "3", "--pay", "2");
        assertThat(paid.out()).contains("paid return").doesNotContain("task return");
        // the judge would see something else, under the same name in the ledger
        String[] resume = {"train", "--resume", "--out", run.toString(), "--iterations", "2", "--frames", "4"};
        refused("--frames changed since 5 answers were recorded", resume);
        assertThat(Metrics.read(run.resolve("metrics.csv")).column("paid")).hasSize(1);
        Path report = folder.resolve("report");
        done("plot", run.toString(), "--out", report.toString());
        try (var files = Files.list(report)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.contains("task-return"));
        }
    }

    @Test
    void peopleSeePicturesInTrainingAndInAnEvaluation() throws InterruptedException {
        Path run = folder.resolve("run");
        String[] people = {"--reward", "human", "--rating-grace", "0", "--dashboard", "false", "--task-reward", "none"};
        try (QuickRater ann = QuickRater.of(run)) {
            List<String> settings = new ArrayList<>(List.of("--python", TestPython.withGymnasium()));
            settings.addAll(List.of(people));
            train(run, FILM, settings.toArray(String[]::new));
            int trained = ann.ratings();
            done("evaluate", run.toString(), "--episodes", "3", "--pay", "2");
            assertThat(trained).isPositive();
            assertThat(ann.shown())
                    .hasSizeGreaterThan(trained)
                    .allMatch(QuickRater.Shown::pictures)
                    .last()
                    .extracting(shown -> shown.place().iteration())
                    .isEqualTo(0);
        }
    }

    /** The picture after t steps has the brightness 20 t; the animation has a picture every tenth of a second. */
    @Test
    void anEpisodeInPythonIsPlayedAgainForAnAnimation() throws IOException {
        Path run = folder.resolve("run");
        train(run, FILM, "--python", TestPython.withGymnasium(), "--env-args", "{\"reward\": 1}");
        TraceReader trace = TraceReader.of(run);
        assertThat(trace.hasFrames(1, 2)).isFalse();
        int length = trace.episode(1, 2).orElseThrow().length();
        Path gif = folder.resolve("film.gif");
        Tool.Result result =
                done("replay", run.toString(), "--episode", "2", "--iteration", "1", "--gif", gif.toString());
        assertThat(result.out())
                .contains("iteration 1, episode 2, " + length + " steps, " + (length + 1) + " pictures");
        Animation animation = Animation.read(gif);
        assertThat(animation.pictures).hasSize(length + 1);
        for (int t = 0; t <= length; t++) {
            assertThat(animation.pictures.get(t).getRGB(30, 30) & 0xFF).isEqualTo(20 * t);
            assertThat(animation.pictures.get(t).getRGB(30, 5) & 0xFF).isEqualTo(255);
            assertThat(animation.hundredths.get(t)).isEqualTo(t < length ? 10 : 100);
        }
        refused("there is no episode 77 in iteration 1", "replay", run.toString(), "--episode", "77", "--gif", "x.gif");
        refused(
                "the episodes of iteration 3 are not kept",
                "replay",
                run.toString(),
                "--iteration",
                "3",
                "--gif",
                "x.gif");
    }

    /** A budget that is spent, or a kill, ends an iteration before it is known what would have been chosen. */
    @Test
    void anIterationThatWasNotFinishedIsNotShownUnlessAskedFor() throws IOException {
        Path run = folder.resolve("run");
        train(run, FILM, "--python", TestPython.withGymnasium());
        done("train", "--resume", "--iterations", "2", "--out", run.toString());
        TraceReader trace = TraceReader.of(run);
        assertThat(trace.newestChosen()).hasValue(2);
        Files.delete(run.resolve("trace/iterations/000002.json"));
        String gif = folder.resolve("film.gif").toString();
        assertThat(done("replay", run.toString(), "--gif", gif).out())
                .contains("iteration 1, episode " + trace.heaviest(1) + ",");
        assertThat(done("replay", run.toString(), "--iteration", "2", "--gif", gif)
                        .out())
                .contains("iteration 2,");
    }

    @Test
    @Tag("slow")
    void aTaskWithAFigureIsDrawnFromTheSide() throws IOException {
        Path run = folder.resolve("run");
        train(run, "Pendulum-v1");
        Path gif = folder.resolve("pendulum.gif");
        done("replay", run.toString(), "--gif", gif.toString());
        Animation animation = Animation.read(gif);
        // 200 steps of 0.05 s
        assertThat(animation.pictures).hasSize(201);
        assertThat(animation.hundredths.subList(0, 200)).containsOnly(5);
        assertThat(animation.pictures.getFirst().getWidth()).isEqualTo(480);
        long coloured = 0;
        for (int x = 0; x < 480; x++) {
            for (int y = 0; y < 320; y++) {
                coloured += (animation.pictures.get(100).getRGB(x, y) & 0xFFFFFF) != 0xFFFFFF ? 1 : 0;
            }
        }
        assertThat(coloured).isBetween(1_000L, 50_000L);
    }

    @Test
    void whatCannotBeIsRefusedBeforeTraining() {
        String out = folder.resolve("none").toString();
        refused(
                "--infos is for environments in Python",
                "train",
                "--env",
                "Pendulum-v1",
                "--infos",
                "true",
                "--out",
                out);
        refused(
                "--frames is for environments in Python",
                "train",
                "--env",
                "Pendulum-v1",
                "--frames",
                "9",
                "--out",
                out);
        refused("--task-reward none needs a reward from elsewhere", "train", "--task-reward", "none", "--out", out);
        refused("is not a run directory", "replay", out, "--gif", "x.gif");
        assertThat(folder.resolve("none")).doesNotExist();
    }
}
