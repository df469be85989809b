package dev.pgkq.app.command;

import dev.pgkq.app.animation.AnimatedGif;
import dev.pgkq.app.animation.Pacing;
import dev.pgkq.app.animation.SideView;
import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.config.UserClasses;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.Heartbeat;
import dev.pgkq.app.trace.TraceReader;
import dev.pgkq.app.trace.TraceReader.RecordedEpisode;
import dev.pgkq.app.training.EnvironmentChoice;
import dev.pgkq.env.Environment;
import dev.pgkq.env.Figure;
import dev.pgkq.env.Playback;
import dev.pgkq.env.Recorder;
import dev.pgkq.env.Recording;
import dev.pgkq.env.Task;
import dev.pgkq.text.UserException;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pgkq replay RUN}: an episode of a run as an animation. */
@Command(
        name = "replay",
        description = {
            "Writes an episode of a run as an animated GIF.",
            "An episode in Python is played again from its seed and actions, to render it; other tasks are drawn from the side."
        },
        mixinStandardHelpOptions = true)
public final class ReplayCommand implements Callable<Integer> {
    /** More pictures make large files, and nobody watches them. */
    private static final int MOST_PICTURES = 500;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "RUN", description = "run directory")
    private Path run = Path.of("");

    @Option(
            names = "--iteration",
            paramLabel = "K",
            description = "iteration of the episode (default: the newest finished one whose episodes are kept)")
    private Optional<Integer> iteration = Optional.empty();

    @Option(
            names = "--episode",
            paramLabel = "K",
            description =
                    "number of the episode, as the dashboard shows it (default: the chosen one of largest weight)")
    private Optional<Integer> episode = Optional.empty();

    @Option(names = "--gif", paramLabel = "FILE", required = true, description = "file to write")
    private Path gif = Path.of("");

    @Option(names = "--mujoco", paramLabel = "PATH", description = "MuJoCo library to use (default: search for it)")
    private String mujoco = "";

    /**
     * What is shown.
     *
     * @param seconds of a step; 0 if unknown
     * @param steps that there are pictures of
     * @param picture draws one of them, by its place
     */
    private record Film(double seconds, List<Integer> steps, IntFunction<BufferedImage> picture) {}

    @Override
    public Integer call() {
        if (!mujoco.isEmpty()) {
            System.setProperty("pgkq.mujoco", mujoco);
        }
        RunDirectory directory = new RunDirectory(run);
        if (!directory.holdsRun()) {
            throw new UserException(
                    run + " is not a run directory (it has no config.yaml); give a folder that 'pgkq train' created");
        }
        RunConfig config = RunConfig.of(ConfigFile.read(directory.config()));
        UserClasses.use(config.text(Setting.CLASSPATH));
        Task task = EnvironmentChoice.task(config);
        TraceReader trace = TraceReader.of(run);
        int from = iteration(trace);
        int index = episode.orElseGet(() -> trace.heaviest(from));
        RecordedEpisode recorded = trace.episode(from, index)
                .orElseThrow(() -> new UserException("there is no episode " + index + " in iteration " + from + " of "
                        + run + ": give a number that the dashboard shows"));
        PrintWriter out = spec.commandLine().getOut();
        try (Heartbeat heart = new Heartbeat(spec.commandLine().getErr())) {
            heart.doing("playing episode " + index + " of iteration " + from);
            Film film = film(task, trace, from, index, recorded);
            Pacing pacing = new Pacing(film.seconds);
            List<Integer> places = pacing.shown(film.steps);
            heart.doing("writing " + places.size() + " pictures");
            List<Integer> steps = places.stream().map(film.steps::get).toList();
            AnimatedGif.write(gif, pacing, steps, i -> film.picture.apply(places.get(i)));
            out.println("wrote " + gif + ": iteration " + from + ", episode " + index + ", " + recorded.length()
                    + " steps, " + places.size() + " pictures");
        }
        out.flush();
        return ExitCode.DONE.code();
    }

    private int iteration(TraceReader trace) {
        int[] kept = trace.withEpisodes();
        if (kept.length == 0) {
            throw new UserException(
                    "no episodes of " + run + " are kept: --keep-episodes says how many are, in megabytes");
        }
        int newest = kept[kept.length - 1];
        int wanted = iteration.orElse(trace.newestChosen().orElse(newest));
        if (Arrays.stream(kept).noneMatch(k -> k == wanted)) {
            throw new UserException("the episodes of iteration " + wanted + " are not kept: give one from " + kept[0]
                    + " to " + newest);
        }
        return wanted;
    }

    private static Film film(Task task, TraceReader trace, int iteration, int index, RecordedEpisode recorded) {
        Optional<Recording> stored = trace.frames(iteration, index);
        boolean hasAll = stored.isPresent() && stored.get().frames().size() > recorded.length();
        Optional<Playback> playback = trace.playback(iteration, index);
        if (!hasAll && playback.isPresent() && task.recorder().isPresent()) {
            return film(record(task, playback.get()));
        }
        if (stored.isPresent()) {
            return film(stored.get());
        }
        try (Environment environment = task.open()) {
            Figure figure = environment
                    .figure()
                    .orElseThrow(() -> new UserException(task.id()
                            + " cannot be shown: it has no figure; docs/environments.md says how to add one"));
            return film(figure, recorded);
        }
    }

    private static Recording record(Task task, Playback playback) {
        try (Recorder recorder = task.openRecorder().orElseThrow()) {
            Recording recording = recorder.record(playback, new Recording.Options(false, MOST_PICTURES));
            if (recording.frames().isEmpty()) {
                throw new UserException(
                        task.id() + " cannot be shown: it does not render pictures. Its metadata must name"
                                + " rgb_array in render_modes, and its render() must return them");
            }
            return recording;
        }
    }

    private static Film film(Recording recording) {
        double perSecond = recording.framesPerSecond();
        List<Recording.Frame> frames = recording.frames();
        return new Film(
                perSecond > 0 ? 1 / perSecond : 0,
                frames.stream().map(Recording.Frame::step).toList(),
                place -> decoded(frames.get(place)));
    }

    private static BufferedImage decoded(Recording.Frame frame) {
        try {
            BufferedImage image = ImageIO.read(new ByteArrayInputStream(frame.png()));
            if (image != null) {
                return image;
            }
        } catch (IOException e) {
            throw damaged(frame, e);
        }
        throw damaged(frame, new IOException("not a picture"));
    }

    private static UserException damaged(Recording.Frame frame, IOException cause) {
        return new UserException(
                "the picture of step " + frame.step()
                        + " is damaged: delete the iteration's .frames.zip in trace/episodes"
                        + " of the run, and give the command again",
                cause);
    }

    private static Film film(Figure figure, RecordedEpisode recorded) {
        List<double[]> states = IntStream.rangeClosed(0, recorded.length())
                .mapToObj(t -> state(recorded, t))
                .toList();
        SideView view = new SideView(figure, states);
        return new Film(
                figure.seconds(),
                IntStream.rangeClosed(0, recorded.length()).boxed().toList(),
                view::picture);
    }

    private static double[] state(RecordedEpisode recorded, int step) {
        double[] state = new double[recorded.stateSize()];
        for (int i = 0; i < state.length; i++) {
            state[i] = recorded.states()[step * state.length + i];
        }
        return state;
    }
}
