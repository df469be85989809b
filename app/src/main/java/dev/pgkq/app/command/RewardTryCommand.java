package dev.pgkq.app.command;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.config.UserClasses;
import dev.pgkq.app.terminal.Terminal;
import dev.pgkq.env.Recorder;
import dev.pgkq.env.Recording;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.EvaluatorSettings;
import dev.pgkq.rewards.oracle.Evaluators;
import dev.pgkq.rewards.oracle.RetryPolicy;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.rewards.request.RequestJson;
import dev.pgkq.text.Durations;
import dev.pgkq.text.Numbers;
import dev.pgkq.text.Paragraph;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code pgkq reward try HOW}: evaluates an episode or a few, once each, and shows what happens. */
@Command(
        name = "try",
        description = {
            "Samples an episode, shows the request, asks for its reward once, and shows the answer and what training would"
                    + " make of it.",
            "Nothing is retried, and nothing is recorded."
        },
        mixinStandardHelpOptions = true)
public final class RewardTryCommand implements Callable<Integer> {
    /** The run in requests. */
    private static final String RUN = "try";

    private static final int LEAST_WIDTH = 60;
    private static final int MOST_WIDTH = 120;
    /** Width of the column of headings. */
    private static final int HEADINGS = 10;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "HOW",
            description =
                    "exec:COMMAND, python:MODULE:FUNCTION, http://…, https://…, java:CLASS, files:FOLDER or human")
    private String how = "";

    @Option(names = "--env", paramLabel = "ID", description = "task (default: ${DEFAULT-VALUE})")
    private String env = "Hopper-v4";

    @Mixin
    private PythonOptions python = new PythonOptions();

    @Option(names = "--count", paramLabel = "COUNT", description = "episodes to evaluate (default: ${DEFAULT-VALUE})")
    private int count = 1;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "seed of policy and episodes (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(
            names = "--classpath",
            paramLabel = "PATHS",
            description = "jars and folders with your own tasks and rewards")
    private String classPath = "";

    @Option(
            names = "--reward-timeout",
            paramLabel = "SECONDS",
            description = "longest time that an evaluation may take (default: a day)")
    private double timeout = Duration.ofDays(1).toSeconds();

    @Option(names = "--infos", description = "send what an environment in Python returns as info")
    private boolean infos;

    @Option(
            names = "--frames",
            paramLabel = "COUNT",
            description = "most pictures of an environment in Python to send with an episode (default: 0)")
    private int frames;

    @Option(
            names = "--save",
            paramLabel = "FILE",
            description = "writes the first request, so that the source of rewards can be developed with it")
    private @Nullable Path save;

    /**
     * An answer.
     *
     * @param length steps of the episode
     * @param seconds until the answer was there
     */
    private record Answered(Reply reply, int length, double seconds) {}

    @Override
    public Integer call() throws InterruptedException {
        if (count < 1 || frames < 0 || !(timeout >= 0.001)) {
            throw new UserException(
                    count < 1
                            ? "--count needs a number of at least 1"
                            : frames < 0
                                    ? "--frames needs a number of at least 0"
                                    : "--reward-timeout needs a number above 0");
        }
        UserClasses.use(classPath);
        RunConfig config = RunConfig.of(Map.of(Setting.REWARD, new Given(how, "HOW")));
        String reward = config.text(Setting.REWARD);
        if (config.people().isPresent()) {
            return askPeople(reward);
        }
        if (config.reward().isPresent()) {
            throw new UserException(
                    reward + " is computed by the task and costs nothing: train with --reward " + reward);
        }
        Task task = python.task(env);
        Path folder = temporaryFolder();
        PrintWriter out = spec.commandLine().getOut();
        boolean isRight = false;
        try (Evaluator evaluator = Evaluators.open(reward, settings(folder));
                StopRequest stop = StopRequest.onSignals(message -> line(out, "stopped", message), work(evaluator))) {
            evaluator.warnings().forEach(warning -> line(out, "warning", warning));
            List<Episode> episodes = sample(task);
            isRight = ask(evaluator, task, episodes, record(task, episodes), stop, out);
        } finally {
            if (isRight) {
                delete(folder);
            }
        }
        return (isRight ? ExitCode.DONE : ExitCode.INCOMPLETE).code();
    }

    /** A trial has nothing to save, and what it started ends with it. */
    private static StopRequest.Work work(Evaluator evaluator) {
        return new StopRequest.Work() {
            @Override
            public boolean finishesFirst() {
                return false;
            }

            @Override
            public void abandon() {
                evaluator.close();
            }

            @Override
            public String stopping() {
                return "the evaluation is cancelled, and processes that it started are ended";
            }
        };
    }

    /** People rate what they see on a page, which shows runs: one iteration of a run asks them. */
    private int askPeople(String reward) {
        List<String> words = new ArrayList<>(List.of("train", "--reward", reward, "--env", env, "--algo", "ppo"));
        words.addAll(List.of("--select", Integer.toString(count), "--iterations", "1", "--seed", Long.toString(seed)));
        words.addAll(python.words());
        if (!classPath.isEmpty()) {
            words.addAll(List.of("--classpath", classPath));
        }
        if (frames > 0) {
            words.addAll(List.of("--frames", Integer.toString(frames)));
        }
        return spec.root().commandLine().execute(words.toArray(String[]::new));
    }

    private EvaluatorSettings settings(Path folder) {
        EvaluatorSettings usual = EvaluatorSettings.defaults(RUN, folder);
        EvaluatorSettings.Limits limits = usual.limits();
        return usual.withLimits(new EvaluatorSettings.Limits(
                        Duration.ofMillis(Math.round(1000 * timeout)), limits.connectTimeout(), limits.bytes()))
                .withPython(python.interpreter());
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("pgkq-reward-try");
        } catch (IOException e) {
            throw FileErrors.writing(Path.of(System.getProperty("java.io.tmpdir")), e);
        }
    }

    private static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            // a temporary folder; the system deletes it some day
        }
    }

    private List<Episode> sample(Task task) {
        try (Workers workers = new Workers(1);
                LocalRollouts rollouts = new LocalRollouts(task, seed, RolloutMode.TRAINING, workers)) {
            Policy policy = Policy.initialize(task.spec(), seed);
            return rollouts.sample(policy, 1, count);
        }
    }

    private List<Recording> record(Task task, List<Episode> episodes) {
        Recording.Options options = new Recording.Options(infos, frames);
        if (!options.wantsAnything()) {
            return Collections.nCopies(episodes.size(), Recording.NOTHING);
        }
        try (Recorder recorder = task.openRecorder()
                .orElseThrow(() -> new UserException((infos ? "--infos" : "--frames")
                        + " is for environments in Python, and " + task.id() + " is none: leave it out"))) {
            return episodes.stream()
                    .map(episode -> recorder.record(episode.playback(task.spec()), options))
                    .toList();
        }
    }

    private boolean ask(
            Evaluator evaluator,
            Task task,
            List<Episode> episodes,
            List<Recording> recordings,
            StopRequest stop,
            PrintWriter out)
            throws InterruptedException {
        String id = RUN + "-" + UUID.randomUUID();
        List<Answered> answers = new ArrayList<>();
        for (Episode episode : episodes) {
            Request request = new Request(
                    id + "-" + episode.index(),
                    task.id(),
                    1,
                    1,
                    task.spec(),
                    episode,
                    recordings.get(episodes.indexOf(episode)));
            line(
                    out,
                    "episode",
                    task.id() + ", policy before training: " + episode.length() + " steps, "
                            + episode.ending().name().toLowerCase(Locale.ROOT));
            if (answers.isEmpty()) {
                show(request, out);
            }
            line(out, "asking", evaluator.identity() + " …");
            long start = System.nanoTime();
            try {
                evaluator.expect(List.of(request));
                Reply reply = evaluator.evaluate(request);
                Answered answered = new Answered(reply, episode.length(), (System.nanoTime() - start) / 1e9);
                answers.add(answered);
                show(answered, out);
            } catch (EvaluationException e) {
                stop.awaitEndIfAtOnce();
                line(out, "failed", "after " + Durations.format(since(start)) + ": " + e.getMessage());
                return false;
            }
        }
        conclude(answers, out);
        return true;
    }

    private static Duration since(long start) {
        return Duration.ofMillis((System.nanoTime() - start) / 1_000_000);
    }

    /** Shows what the request contains, without its thousands of numbers. */
    private void show(Request request, PrintWriter out) {
        byte[] json = RequestJson.write(RUN, request);
        JsonNode fields = new JsonMapper().readTree(json);
        String contents = fields.properties().stream()
                .map(field -> field.getKey() + " "
                        + (field.getValue().path(0).isObject()
                                ? "(" + field.getValue().size() + ")"
                                : field.getValue().isArray()
                                        ? "(" + field.getValue().size() + " × "
                                                + field.getValue().path(0).size() + ")"
                                        : field.getValue()))
                .collect(Collectors.joining(", "));
        line(out, "request", String.format(Locale.ROOT, "%,d bytes of JSON: %s", json.length, contents));
        if (save != null) {
            WholeFile.replace(save, json);
            line(out, "", "saved as " + save);
        }
    }

    private static void show(Answered answered, PrintWriter out) {
        Reply reply = answered.reply;
        String values = reply.grain() == Grain.EPISODE
                ? Numbers.brief(reply.values()[0]) + " for the whole episode"
                : reply.values().length + " rewards from "
                        + Numbers.brief(DoubleStream.of(reply.values()).min().orElse(0)) + " to "
                        + Numbers.brief(DoubleStream.of(reply.values()).max().orElse(0)) + ", their sum "
                        + Numbers.brief(reply.total());
        String cost = reply.cost().isPresent()
                ? ", cost " + Numbers.brief(reply.cost().getAsDouble())
                : ", no cost stated";
        line(
                out,
                "answer",
                values + ", after " + Durations.format(Duration.ofMillis(Math.round(1000 * answered.seconds))) + cost);
        reply.note().ifPresent(note -> line(out, "note", note));
    }

    private void conclude(List<Answered> answers, PrintWriter out) {
        boolean perEpisode = answers.stream().anyMatch(answered -> answered.reply.grain() == Grain.EPISODE);
        boolean mixed = perEpisode && answers.stream().anyMatch(answered -> answered.reply.grain() == Grain.STEP);
        if (mixed) {
            line(
                    out,
                    "training",
                    "cannot use answers of both kinds: always one number per episode, or always one per step");
            return;
        }
        line(
                out,
                "training",
                "--reward-per auto, the default, settles on "
                        + (perEpisode
                                ? "episode: one number for a whole episode; which steps earned it has to be learned"
                                : "step: a reward for every step"));
        double[] values = answers.stream()
                .flatMapToDouble(answered -> Arrays.stream(answered.reply.values()))
                .toArray();
        if (values.length > 1 && DoubleStream.of(values).distinct().count() == 1) {
            line(
                    out,
                    "",
                    "All numbers are " + Numbers.brief(values[0]) + ": nothing can be learned from equal rewards");
        } else if (perEpisode && values.length == 1) {
            line(out, "", "One number does not show whether episodes differ: try --count 3");
        } else {
            line(out, "", "The scale does not matter: rewards are standardized");
        }
        double seconds =
                answers.stream().mapToDouble(Answered::seconds).average().orElse(0);
        double cost = answers.stream()
                .mapToDouble(answered -> answered.reply.cost().orElse(0))
                .average()
                .orElse(0);
        int atOnce = RetryPolicy.defaults().atOnce();
        line(
                out,
                "",
                "100 such evaluations take about "
                        + Durations.format(Duration.ofMillis(Math.round(1e5 * seconds / atOnce))) + ", " + atOnce
                        + " at once" + (cost > 0 ? ", and cost " + Numbers.brief(100 * cost) : ""));
    }

    private static int width() {
        return Math.clamp(Terminal.STANDARD_OUTPUT.columns(), LEAST_WIDTH, MOST_WIDTH);
    }

    /** Prints a heading and, beside it, a text in as many lines as it takes. */
    private static void line(PrintWriter out, String heading, String text) {
        String left = heading;
        for (String part : Paragraph.lines(text, width() - HEADINGS, "")) {
            out.printf("%-" + HEADINGS + "s%s%n", left, part);
            left = "";
        }
        out.flush();
    }
}
