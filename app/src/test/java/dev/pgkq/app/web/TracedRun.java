package dev.pgkq.app.web;

import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.state.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A run directory with a trace of closed-form values, for tests of the pages; more iterations can be added. */
final class TracedRun {
    static final int EPISODES = 20;
    static final int STEPS = 40;
    /** The selected episodes; their weights are {@link #WEIGHTS}. */
    static final List<Integer> CHOSEN = List.of(3, 7, 11, 16);

    static final List<Double> WEIGHTS = List.of(0.4, 0.3, 0.2, 0.1);

    /** A cart with a pole; the state is the cart's position and the pole's angle. */
    private static final String FIGURE = """
            {"bodies": [{"parent": -1, "at": [0, 0.2], "angle": 0}, {"parent": 0, "at": [0, 0], "angle": 0}],
             "joints": [{"body": 0, "kind": "slide", "axis": [1, 0], "at": [0, 0], "state": 0, "zero": 0},
                        {"body": 1, "kind": "hinge", "sign": 1, "at": [0, 0], "state": 1, "zero": 0}],
             "shapes": [{"body": 0, "from": [-0.2, 0], "to": [0.2, 0], "radius": 0.1},
                        {"body": 1, "from": [0, 0], "to": [0, 0.8], "radius": 0.05}],
             "ground": 0.0, "follow": 0, "seconds": 0.02}
            """;

    private static final String COLUMNS =
            "iteration,steps,episodes,reward_evaluations,return_mean,return_se,length_mean,wce,"
                    + "wce_random,mean_error,kernel_scale,kernel_noise,paid_return,seconds_sample,seconds_select,seconds_reward,seconds_policy";

    private static final String FORECAST_COLUMNS = ",paid,expected_error,expected_error_paid,inflation";

    private final Path folder;
    private final boolean forecasts;
    private int iterations;

    private TracedRun(Path folder, boolean forecasts) {
        this.folder = folder;
        this.forecasts = forecasts;
    }

    /** Creates a run that is in progress. */
    static TracedRun make(Path folder, int iterations) throws IOException {
        return make(folder, iterations, false);
    }

    /**
     * Creates a run in progress that forecasts its errors: in the first iteration nothing is known; later every chosen episode
     * halves an error of 0.8.
     */
    static TracedRun forecasting(Path folder, int iterations) throws IOException {
        return make(folder, iterations, true);
    }

    private static TracedRun make(Path folder, int iterations, boolean forecasts) throws IOException {
        TracedRun run = new TracedRun(folder, forecasts);
        Files.createDirectories(folder.resolve("trace/iterations"));
        Files.createDirectories(folder.resolve("trace/episodes"));
        Files.writeString(
                folder.resolve("config.yaml"),
                "env: InvertedDoublePendulum-v4\nalgo: ppo-" + (forecasts ? "kq-bayes" : "kq-plus")
                        + "\nreward: builtin\nseed: 1\niterations: 30\n");
        Files.writeString(
                folder.resolve("events.jsonl"),
                "{\"time\":\"2026-11-15T12:00:00Z\",\"event\":\"started\",\"iteration\":0}\n");
        Files.writeString(folder.resolve("metrics.csv"), COLUMNS + (forecasts ? FORECAST_COLUMNS : "") + "\n");
        Files.writeString(folder.resolve("trace/figure.json"), FIGURE);
        for (int i = 0; i < iterations; i++) {
            run.iterate();
        }
        return run;
    }

    /** Writes the next iteration as it is before its rewards arrive. */
    void select() throws IOException {
        int k = iterations + 1;
        String whole = trace(k);
        String before = whole.replaceFirst("\"returns\":\\[[^]]*]", "\"returns\":" + list(e -> "null"))
                .replaceFirst("\"paid\":\\[[^]]*]", "\"paid\":[null,null,null,null]")
                .replaceFirst("\"predicted\":\\[[^]]*]", "\"predicted\":null")
                .replaceFirst(
                        "\"wce\":.*",
                        "\"wce\":null,\"wceRandom\":null,\"scale\":null,\"noise\":null,\"awaited\":true}");
        Files.writeString(folder.resolve("trace/iterations").resolve(name(k, ".json")), before);
    }

    /** Writes one more iteration, in the order in which training writes its files. */
    void iterate() throws IOException {
        int k = ++iterations;
        writeEpisodes(k);
        Files.writeString(folder.resolve("trace/iterations").resolve(name(k, ".json")), trace(k));
        Files.writeString(folder.resolve("metrics.csv"), row(k) + "\n", StandardOpenOption.APPEND);
    }

    /** Rewrites the metrics with other numbers of paid rewards. */
    void pay(int[] evaluations) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("metrics.csv"));
        for (int i = 0; i < evaluations.length; i++) {
            String[] cells = lines.get(i + 1).split(",", -1);
            cells[3] = Integer.toString(evaluations[i]);
            lines.set(i + 1, String.join(",", cells));
        }
        Files.write(folder.resolve("metrics.csv"), lines);
    }

    /** Changes a setting of the run. */
    void set(String setting, String value) throws IOException {
        Path file = folder.resolve("config.yaml");
        Files.writeString(
                file, Files.readString(file).replaceFirst("(?m)^" + setting + ": .*$", setting + ": " + value));
    }

    /** Rewrites the returns by the task's reward as those of a task that has none. */
    void withoutTaskReward() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("metrics.csv"));
        for (int i = 1; i < lines.size(); i++) {
            String[] cells = lines.get(i).split(",", -1);
            cells[4] = "0.0";
            cells[5] = "0.0";
            lines.set(i, String.join(",", cells));
        }
        Files.write(folder.resolve("metrics.csv"), lines);
    }

    /** Deletes the episodes of an iteration, as training does to make room for new ones. */
    void forget(int iteration) throws IOException {
        Files.delete(folder.resolve("trace/episodes").resolve(name(iteration, ".safetensors")));
        Files.delete(folder.resolve("trace/episodes").resolve(name(iteration, ".rewards.safetensors")));
    }

    /** Sets the ledger in the run's settings. */
    void setLedger(Path ledger) throws IOException {
        Files.writeString(folder.resolve("config.yaml"), "ledger: " + ledger + "\n", StandardOpenOption.APPEND);
    }

    void finish() throws IOException {
        log("{\"time\":\"2026-11-15T12:10:00Z\",\"event\":\"finished\",\"iteration\":" + iterations + "}");
    }

    /** Appends an event. */
    void log(String event) throws IOException {
        Files.writeString(folder.resolve("events.jsonl"), event + "\n", StandardOpenOption.APPEND);
    }

    static double meanReturn(int iteration) {
        return 10 + 3.25 * iteration;
    }

    /** The mean return by an external reward. */
    static double paidReturn(int iteration) {
        return 2 + 0.5 * iteration;
    }

    private String row(int k) {
        return k + "," + 800 * k + "," + EPISODES * k + "," + CHOSEN.size() * k + "," + meanReturn(k) + ",0.75,40,"
                + (5 + k) + "," + (20 + k) + ",0.1," + 0.01 * k + "," + (-2 + 0.01 * k) + "," + paidReturn(k)
                + ",95.5,0.1,0.02,0.2"
                + (!forecasts ? "" : k == 1 ? ",4,,,1" : ",4,0.8,0.05,1.5");
    }

    /** Episodes on a spiral, centred on the origin as principal components are. */
    private String trace(int k) {
        double[] x = new double[EPISODES];
        double[] y = new double[EPISODES];
        double meanX = 0;
        double meanY = 0;
        for (int e = 0; e < EPISODES; e++) {
            x[e] = (1 + e) * Math.cos(0.7 * e + k);
            y[e] = (1 + e) * Math.sin(0.7 * e + k);
            meanX += x[e] / EPISODES;
            meanY += y[e] / EPISODES;
        }
        for (int e = 0; e < EPISODES; e++) {
            x[e] -= meanX;
            y[e] -= meanY;
        }
        return "{\"iteration\":" + k
                + ",\"lengths\":" + list(e -> STEPS)
                + ",\"endings\":" + list(e -> e % 2 == 0 ? "\"terminated\"" : "\"truncated\"")
                + ",\"returns\":" + list(e -> meanReturn(k) + e)
                + ",\"chosen\":" + CHOSEN + ",\"weights\":" + WEIGHTS + ",\"paid\":[13.5,18,21,25.5]"
                + ",\"predicted\":" + list(e -> 12 + 0.9 * e)
                + ",\"map\":{\"x\":" + list(e -> x[e]) + ",\"y\":" + list(e -> y[e]) + ",\"share\":[0.61,0.2]}"
                + (!forecasts
                        ? ""
                        : ",\"forecast\":"
                                + (k == 1
                                        ? "{\"errors\":[null,null,null,null,null],\"next\":null,\"inflation\":1}"
                                        : "{\"errors\":[0.8,0.4,0.2,0.1,0.05],\"next\":0.04,\"inflation\":1.5}"))
                + ",\"wce\":" + (5 + k) + ",\"wceRandom\":" + (20 + k) + ",\"scale\":0.1,\"noise\":-2}";
    }

    private void writeEpisodes(int k) {
        Map<String, Tensor> all = new LinkedHashMap<>();
        Map<String, Tensor> paid = new LinkedHashMap<>();
        for (int e = 0; e < EPISODES; e++) {
            float[] states = new float[2 * (STEPS + 1)];
            for (int t = 0; t <= STEPS; t++) {
                states[2 * t] = 0.05f * t;
                states[2 * t + 1] = (float) Math.sin(0.2 * t + e);
            }
            all.put("states." + e, new Tensor(new int[] {STEPS + 1, 2}, states));
            if (CHOSEN.contains(e)) {
                float[] rewards = new float[STEPS];
                Arrays.fill(rewards, 0.5f);
                paid.put("rewards." + e, new Tensor(new int[] {STEPS}, rewards));
            }
        }
        Path episodes = folder.resolve("trace/episodes");
        Safetensors.write(episodes.resolve(name(k, ".safetensors")), all, Map.of());
        Safetensors.write(episodes.resolve(name(k, ".rewards.safetensors")), paid, Map.of());
    }

    private static String list(IntFunction<Object> of) {
        return IntStream.range(0, EPISODES)
                .mapToObj(of)
                .map(String::valueOf)
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String name(int iteration, String ending) {
        return String.format(Locale.ROOT, "%06d%s", iteration, ending);
    }
}
