package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.app.web.AdviserClient.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * A training loop in a process of its own, which can be killed at any time and started again: batch after batch, it asks an adviser
 * which items to score, scores them, and tells the scores. It writes down what it does before it does it, and what it was answered;
 * started again, it knows the last batch that it completed and, in every other batch, the scores that it had written down. If the
 * adviser is away, it waits for it and repeats the request.
 */
final class AdviserLoop {
    static final int ITEMS = 20;
    static final int SELECT = 3;

    /** Marks an item that the adviser declared as in doubt. */
    static final String DOUBT = "?";

    private static final int WIDTH = 4;
    private static final long PAUSE_NANOS = 2_000_000;
    /** How long the judge takes. */
    private static final long JUDGE_NANOS = 4_000_000;

    private final Path folder;
    private final Path log;
    private Optional<AdviserClient> client = Optional.empty();

    private AdviserLoop(Path folder, Path log) {
        this.folder = folder;
        this.log = log;
    }

    /** Arguments: the adviser's folder, the log, a file that ends the loop when it exists. So does the end of standard input. */
    public static void main(String[] arguments) throws Exception {
        Thread.ofPlatform().daemon().start(AdviserLoop::haltWithTheTest);
        AdviserLoop loop = new AdviserLoop(Path.of(arguments[0]), Path.of(arguments[1]));
        int batch = 1;
        Map<String, Double> known = new LinkedHashMap<>();
        for (LoopLog.Line line : LoopLog.read(loop.log)) {
            if (line.is("complete")) {
                batch = line.batch() + 1;
                known.clear();
            } else if (line.is("score")) {
                line.words().forEach(id -> known.put(id, score(id)));
            }
        }
        loop.say("start", batch, List.of());
        if (batch % 2 == 0) {
            known.clear();
        }
        // at least the one in which an earlier process was killed
        do {
            loop.complete(batch++, known);
            known.clear();
        } while (!Files.exists(Path.of(arguments[2])));
    }

    private static void haltWithTheTest() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // it is closed
        }
        Runtime.getRuntime().halt(1);
    }

    private void complete(int batch, Map<String, Double> known) throws IOException, InterruptedException {
        // late: of an earlier process, which was killed before it told them
        tell(batch, known);
        say("ask", batch, List.of());
        String request = UUID.randomUUID().toString();
        Answer answer = repeated(client -> client.post("rounds", question(batch, request)));
        JsonNode choice = answer.json();
        if (answer.status() >= 300 || choice.path("round").asInt() != batch) {
            throw new IllegalStateException("asked about batch " + batch + ": " + answer);
        }
        List<String> missing = texts(choice.path("missing"));
        List<String> inDoubt = texts(choice.path("in_doubt"));
        say(
                "asked",
                batch,
                missing.stream()
                        .map(id -> inDoubt.contains(id) ? id + DOUBT : id)
                        .toList());
        Map<String, Double> scores = new LinkedHashMap<>();
        for (String id : missing) {
            say("score", batch, List.of(id));
            LockSupport.parkNanos(JUDGE_NANOS);
            scores.put(id, score(id));
            if (batch % 3 == 0) {
                tell(batch, Map.of(id, score(id)));
            }
        }
        tell(batch, scores);
        say("complete", batch, List.of());
    }

    private void tell(int batch, Map<String, Double> scores) throws IOException, InterruptedException {
        if (scores.isEmpty()) {
            return;
        }
        List<String> ids = List.copyOf(scores.keySet());
        say("tell", batch, ids);
        StringJoiner body = new StringJoiner(",", "{\"estimates\":false,\"scores\":{", "}}");
        scores.forEach((id, score) -> body.add("\"" + id + "\":" + score));
        Answer answer = repeated(client -> client.post("rounds/" + batch + "/scores", body.toString()));
        if (answer.status() != 200) {
            throw new IllegalStateException("told " + body + " of batch " + batch + ": " + answer);
        }
        say("told", batch, ids);
    }

    /** A request. */
    @FunctionalInterface
    private interface Request {
        Answer send(AdviserClient client) throws IOException, InterruptedException;
    }

    /** The answer to a request, which is sent again until there is one. */
    private Answer repeated(Request request) throws IOException, InterruptedException {
        while (true) {
            if (client.isEmpty()) {
                client = ServiceFile.address(folder).map(AdviserClient::new);
            }
            try {
                if (client.isPresent()) {
                    return request.send(client.get());
                }
            } catch (IOException e) {
                // it was killed, and the next one has another address; or it is very slow
                client = Optional.empty();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** One write, which a kill does not tear. */
    private void say(String what, int batch, List<String> ids) throws IOException {
        String line = what + " " + batch + (ids.isEmpty() ? "" : " " + String.join(" ", ids)) + "\n";
        Files.write(log, line.getBytes(UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asString)
                .toList();
    }

    /** The names of a batch's items. */
    static List<String> ids(int batch) {
        return IntStream.range(0, ITEMS).mapToObj(i -> batch + "-" + i).toList();
    }

    /** The features of a batch's items, row by row. */
    static float[] features(int batch) {
        Random random = new Random(batch);
        float[] features = new float[ITEMS * WIDTH];
        for (int i = 0; i < features.length; i++) {
            features[i] = (float) random.nextGaussian();
        }
        return features;
    }

    private static String question(int batch, String request) {
        float[] features = features(batch);
        StringJoiner rows = new StringJoiner(",", "[", "]");
        for (int i = 0; i < ITEMS; i++) {
            StringJoiner row = new StringJoiner(",", "[", "]");
            for (int j = 0; j < WIDTH; j++) {
                row.add(Float.toString(features[i * WIDTH + j]));
            }
            rows.add(row.toString());
        }
        List<String> names = new ArrayList<>();
        ids(batch).forEach(id -> names.add("\"" + id + "\""));
        return "{\"features\":" + rows + ",\"ids\":[" + String.join(",", names) + "],\"round\":" + batch
                + ",\"request\":\"" + request + "\"}";
    }

    /** The score of an item, the same in every process. */
    static double score(String id) {
        String[] numbers = id.split("-");
        int at = Integer.parseInt(numbers[1]) * WIDTH;
        float[] x = features(Integer.parseInt(numbers[0]));
        return Math.sin(x[at]) + 0.5 * x[at + 1] * x[at + 2] + 0.1 * Math.cos(20 * x[at + 3]);
    }
}
