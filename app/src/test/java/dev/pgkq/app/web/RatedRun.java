package dev.pgkq.app.web;

import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.rewards.people.RaterName;
import dev.pgkq.state.Tensor;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A run directory that is waiting for ratings, for tests of the pages, and a rater without a browser. */
final class RatedRun {
    static final RaterName ANN = new RaterName("Ann");

    private RatedRun() {}

    /** Writes settings, a pendulum as the figure, and the episodes of an iteration. */
    static void make(Path run, int iteration, int episodes) throws IOException {
        Files.createDirectories(run.resolve("trace/episodes"));
        Files.writeString(run.resolve("config.yaml"), "env: Pendulum-v1\nalgo: ppo-kq\nreward: human\niterations: 5\n");
        Files.writeString(run.resolve("trace/figure.json"), """
                {"bodies": [{"parent": -1, "at": [0, 1.2], "angle": 0}],
                 "joints": [{"body": 0, "kind": "hinge", "sign": 1, "at": [0, 0], "state": 0, "zero": 0}],
                 "shapes": [{"body": 0, "from": [0, 0], "to": [0, 1], "radius": 0.08}],
                 "ground": null, "follow": -1, "seconds": 0.05}
                """);
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        int steps = 60;
        for (int e = 0; e < episodes; e++) {
            float[] states = new float[2 * (steps + 1)];
            for (int t = 0; t <= steps; t++) {
                states[2 * t] = (float) (3 * Math.cos(0.1 * t + e));
            }
            tensors.put("states." + e, new Tensor(new int[] {steps + 1, 2}, states));
        }
        Path file = run.resolve("trace/episodes").resolve(String.format(Locale.ROOT, "%06d.safetensors", iteration));
        Safetensors.write(file, tensors, Map.of());
    }

    /** Writes two episodes of an iteration in which a ball rises by one metre and by ten. */
    static void makeOfDifferentSizes(Path run) throws IOException {
        make(run, 1, 2);
        Files.writeString(run.resolve("trace/figure.json"), """
                {"bodies": [{"parent": -1, "at": [0, 0.3], "angle": 0}],
                 "joints": [{"body": 0, "kind": "slide", "axis": [0, 1], "state": 0, "zero": 0}],
                 "shapes": [{"body": 0, "from": [0, 0], "to": [0.01, 0], "radius": 0.3}],
                 "ground": 0, "follow": -1, "seconds": 0.05}
                """);
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (int e = 0; e < 2; e++) {
            float[] states = new float[2 * 41];
            for (int t = 0; t <= 40; t++) {
                states[2 * t] = (e == 0 ? 1f : 10f) * t / 40;
            }
            tensors.put("states." + e, new Tensor(new int[] {41, 2}, states));
        }
        Safetensors.write(run.resolve("trace/episodes/000001.safetensors"), tensors, Map.of());
    }

    /** A free port, so that a restarted server can use the same one. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
