package dev.pgkq.app.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Recording;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Episode;
import dev.pgkq.model.Learner;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.select.Selection;
import dev.pgkq.state.Tensor;
import dev.pgkq.text.UserException;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.Observer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the trace of a run, which the dashboard shows during the run and afterwards. Episodes are written as soon as they are
 * selected, since people may have to watch them to rate them; the oldest ones make room for new ones. What quadrature
 * saw of an iteration is written when the iteration ends. If its rewards take long, it is written before that, without
 * rewards and marked so.
 *
 * <p>Training does not need the trace: if it cannot be written, that is reported once, and training continues without it.
 */
public final class TraceWriter implements Observer, AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    /** If rewards take longer, the iteration is shown without them. */
    static final Duration SOON = Duration.ofSeconds(2);

    private final TraceFiles files;
    private final EnvironmentSpec spec;
    private final boolean canBePlayedAgain;
    private final Keeping keeping;
    private final Function<Episode, Recording> recordings;
    private final Consumer<String> problems;
    private boolean broken;
    private Optional<EpisodeBatch> batch = Optional.empty();
    private Optional<PaidBatch> paid = Optional.empty();
    private Optional<double[]> expected = Optional.empty();
    /** The selection that is not paid for yet. */
    private Optional<Awaited> awaited = Optional.empty();

    private record Awaited(int iteration, Selection selection) {}

    /**
     * Which episodes are kept.
     *
     * @param bytes limit of their size on disk; 0 keeps none
     * @param iterations the number of newest iterations whose episodes are kept even beyond the limit
     * @param needed whether people rate the episodes: training then fails if they cannot be written
     */
    public record Keeping(long bytes, int iterations, boolean needed) {
        /** Keeps the current iteration, and older ones up to a size. */
        public static Keeping upTo(long bytes) {
            return new Keeping(bytes, 1, false);
        }
    }

    private TraceWriter(
            TraceFiles files,
            EnvironmentSpec spec,
            boolean canBePlayedAgain,
            Keeping keeping,
            Function<Episode, Recording> recordings,
            Consumer<String> problems) {
        this.files = files;
        this.spec = spec;
        this.canBePlayedAgain = canBePlayedAgain;
        this.keeping = keeping;
        this.recordings = recordings;
        this.problems = problems;
    }

    /**
     * Opens the trace to continue after an iteration; files of later iterations are deleted.
     *
     * @param keeping which episodes are kept
     * @param recordings pictures of a chosen episode
     * @param problems receives a message if the trace cannot be written
     */
    public static TraceWriter open(
            Path folder,
            Task task,
            int after,
            Keeping keeping,
            Function<Episode, Recording> recordings,
            Consumer<String> problems) {
        TraceFiles files = new TraceFiles(folder);
        try (Environment environment = task.open()) {
            TraceWriter writer = new TraceWriter(
                    files, environment.spec(), task.recorder().isPresent(), keeping, recordings, problems);
            writer.unlessBroken(() -> {
                files.deleteAfter(after);
                environment.figure().ifPresent(figure -> show(files.figure(), FigureJson.of(figure)));
            });
            return writer;
        }
    }

    /**
     * Keeps episodes that were played after training, as those of an iteration 0, for people who rate them.
     *
     * @param recordings pictures of an episode
     * @throws UserException if they cannot be written
     */
    public static void keepEvaluated(
            Path folder, Task task, List<Episode> episodes, Function<Episode, Recording> recordings) {
        TraceFiles files = new TraceFiles(folder);
        int[] indices = episodes.stream().mapToInt(Episode::index).toArray();
        try (Environment environment = task.open()) {
            environment.figure().ifPresent(figure -> show(files.figure(), FigureJson.of(figure)));
            EpisodeStates.write(
                    files.states(0),
                    environment.spec(),
                    episodes,
                    indices,
                    task.recorder().isPresent());
        }
        writeFrames(files.frames(0), episodes, recordings);
    }

    /** Opens a trace without pictures. */
    public static TraceWriter open(Path folder, Task task, int after, Keeping keeping, Consumer<String> problems) {
        return open(folder, task, after, keeping, episode -> Recording.NOTHING, problems);
    }

    @Override
    public synchronized void chosen(int iteration, EpisodeBatch sampled, Selection selection) {
        batch = Optional.of(sampled);
        awaited = Optional.of(new Awaited(iteration, selection));
        // the thread must not hold the batch: iterations may be much shorter than the wait, and batches are large
        Thread.ofVirtual().start(() -> showIfStillAwaited(iteration));
        if (keeping.bytes == 0) {
            return;
        }
        Runnable writing = () -> {
            // fetching all episodes from a cluster may cost more than the iteration
            int[] chosen = selection.points().indices();
            int[] kept = sampled.isHere() ? IntStream.range(0, sampled.size()).toArray() : chosen;
            EpisodeStates.write(files.states(iteration), spec, sampled.take(kept), chosen, canBePlayedAgain);
            writeFrames(files.frames(iteration), sampled.take(chosen), recordings);
            makeRoom();
        };
        if (keeping.needed) {
            writing.run();
        } else {
            unlessBroken(writing);
        }
    }

    private static void writeFrames(Path file, List<Episode> chosen, Function<Episode, Recording> recordings) {
        Map<Integer, Recording> shown = new LinkedHashMap<>();
        for (Episode episode : chosen) {
            Recording recording = recordings.apply(episode);
            if (!recording.frames().isEmpty()) {
                shown.put(episode.index(), recording);
            }
        }
        if (!shown.isEmpty()) {
            FrameFile.write(file, shown);
        }
    }

    private void showIfStillAwaited(int iteration) {
        try {
            Thread.sleep(SOON);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        synchronized (this) {
            batch.ifPresent(sampled -> awaited.filter(now -> now.iteration == iteration)
                    .ifPresent(now -> unlessBroken(() -> show(files.iteration(iteration), json(now, sampled)))));
        }
    }

    /** Deletes the oldest episodes until the rest fits. */
    private void makeRoom() {
        int[] kept = TraceFiles.in(files.episodes());
        long[] sizes = Arrays.stream(kept)
                .mapToLong(k -> size(files.states(k)) + size(files.rewards(k)) + size(files.frames(k)))
                .toArray();
        long left = Arrays.stream(sizes).sum();
        for (int i = 0; i < kept.length - keeping.iterations && left > keeping.bytes; i++) {
            files.deleteEpisodes(kept[i]);
            left -= sizes[i];
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0; // there is no such file
        }
    }

    @Override
    public synchronized void paid(int iteration, PaidBatch bought, Learner learner) {
        awaited = Optional.empty();
        paid = Optional.of(bought);
        unlessBroken(() -> expected = learner.expect(bought));
        if (keeping.bytes == 0) {
            return;
        }
        unlessBroken(() -> {
            Map<String, Tensor> rewards = new LinkedHashMap<>();
            double[] values = bought.paidRewards();
            int[] indices = bought.points().indices();
            for (int i = 0; i < indices.length; i++) {
                float[] ofEpisode = new float[bought.paidSteps().length(i)];
                for (int t = 0; t < ofEpisode.length; t++) {
                    ofEpisode[t] = (float) values[bought.paidSteps().start(i) + t];
                }
                rewards.put("rewards." + indices[i], Tensor.of(ofEpisode, ofEpisode.length));
            }
            Safetensors.writeSoon(files.rewards(iteration), rewards, Map.of());
        });
    }

    @Override
    public synchronized void finished(IterationReport report, double[] monitored) {
        batch.ifPresent(sampled ->
                unlessBroken(() -> show(files.iteration(report.iteration()), json(report, sampled, monitored))));
        batch = Optional.empty();
        paid = Optional.empty();
        expected = Optional.empty();
    }

    /** Writes nothing from now on: another process may continue the run, and with it the trace. */
    @Override
    public synchronized void close() {
        awaited = Optional.empty();
        batch = Optional.empty();
    }

    private void unlessBroken(Runnable work) {
        if (broken) {
            return;
        }
        try {
            work.run();
        } catch (RuntimeException e) {
            broken = true;
            String reason = e instanceof UserException ? String.valueOf(e.getMessage()) : e.toString();
            problems.accept("the trace for the dashboard is no longer written, training continues: " + reason);
        }
    }

    private static void show(Path file, ObjectNode json) {
        byte[] bytes = JSON.writeValueAsString(json).getBytes(UTF_8);
        WholeFile.replaceSoon(file, channel -> {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
        });
    }

    private ObjectNode json(IterationReport report, EpisodeBatch sampled, double[] returns) {
        ObjectNode root = json(report.iteration(), sampled, returns);
        paid.ifPresent(
                bought -> choice(root, bought.selection(), bought.points(), sums(bought), towards(sampled, returns)));
        expected.ifPresentOrElse(sums -> numbers(root, "predicted", sums), () -> root.putNull("predicted"));
        number(root, "wce", report.choice().error());
        number(root, "wceRandom", report.choice().errorOfRandom());
        number(root, "scale", report.lesson().scale());
        number(root, "noise", report.lesson().noise());
        return root;
    }

    /** The trace of an iteration whose rewards are not known yet. */
    private ObjectNode json(Awaited now, EpisodeBatch sampled) {
        double[] unknown = new double[sampled.size()];
        Arrays.fill(unknown, Double.NaN);
        ObjectNode root = json(now.iteration, sampled, unknown).put("awaited", true);
        WeightedPoints points = now.selection.points();
        choice(root, now.selection, points, Arrays.copyOf(unknown, points.indices().length), towards(sampled, unknown));
        List.of("predicted", "wce", "wceRandom", "scale", "noise").forEach(root::putNull);
        return root;
    }

    /** The map is oriented so that longer episodes, or better ones if all have the same length, are on the right. */
    private static double[] towards(EpisodeBatch sampled, double[] returns) {
        double[] lengths =
                IntStream.range(0, sampled.size()).mapToDouble(sampled::length).toArray();
        return Arrays.stream(lengths).distinct().count() > 1 ? lengths : returns;
    }

    private static ObjectNode json(int iteration, EpisodeBatch sampled, double[] returns) {
        ObjectNode root = JSON.createObjectNode();
        root.put("iteration", iteration);
        ArrayNode whole = root.putArray("lengths");
        ArrayNode endings = root.putArray("endings");
        for (int i = 0; i < sampled.size(); i++) {
            whole.add(sampled.length(i));
            endings.add(sampled.ending(i).name().toLowerCase(Locale.ROOT));
        }
        numbers(root, "returns", returns);
        return root;
    }

    private static void choice(
            ObjectNode root, Selection selection, WeightedPoints points, double[] rewards, double[] towards) {
        ArrayNode chosen = root.putArray("chosen");
        Arrays.stream(points.indices()).forEach(chosen::add);
        numbers(root, "weights", points.weights());
        numbers(root, "paid", rewards);
        selection
                .kernel()
                .ifPresentOrElse(
                        view -> {
                            KernelMap map = KernelMap.of(view.gram(), towards);
                            ObjectNode into = root.putObject("map");
                            numbers(into, "x", map.x());
                            numbers(into, "y", map.y());
                            numbers(into, "share", map.shares());
                        },
                        () -> root.putNull("map"));
        selection
                .forecast()
                .ifPresentOrElse(
                        forecast -> {
                            ObjectNode into = root.putObject("forecast");
                            numbers(into, "errors", forecast.errors());
                            number(into, "next", forecast.next());
                            number(into, "inflation", forecast.inflation());
                        },
                        () -> root.putNull("forecast"));
    }

    private static double[] sums(PaidBatch bought) {
        double[] values = bought.paidRewards();
        double[] sums = new double[bought.paidSteps().episodes()];
        for (int i = 0; i < sums.length; i++) {
            for (int t = bought.paidSteps().start(i); t < bought.paidSteps().start(i + 1); t++) {
                sums[i] += values[t];
            }
        }
        return sums;
    }

    /** Single precision is more than a display needs. */
    private static void numbers(ObjectNode into, String name, double[] values) {
        ArrayNode array = into.putArray(name);
        for (double value : values) {
            if (Float.isFinite((float) value)) {
                array.add((float) value);
            } else {
                array.addNull();
            }
        }
    }

    private static void number(ObjectNode into, String name, double value) {
        if (Float.isFinite((float) value)) {
            into.put(name, (float) value);
        } else {
            into.putNull(name);
        }
    }
}
