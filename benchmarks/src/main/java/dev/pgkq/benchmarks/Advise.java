package dev.pgkq.benchmarks;

import dev.pgkq.advise.Items;
import dev.pgkq.app.web.AdviserServer;
import dev.pgkq.gym.PythonSettings;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.rewards.advise.Advice;
import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.rewards.advise.Question;
import dev.pgkq.rewards.advise.Score;
import dev.pgkq.select.Pace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How long an adviser takes to answer which items to score, its files included, and how much more the Python client waits. Each round
 * has new items, and all its scores are told before the next one. It is measured with few earlier scores and with many.
 */
final class Advise implements Benchmark {
    private static final int WIDTH = 384;
    private static final int EARLIER_ROUNDS = 200;
    private static final double MEDIAN = 0.5;
    private static final double MOST_MORE = 5;
    private static final String SCRIPT = "advise_peer.py";

    /**
     * A question.
     *
     * @param select items to score
     * @param items of a round
     * @param most milliseconds to answer
     * @param rounds to measure
     */
    private record Size(int select, int items, double most, int rounds) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%d of %,d items of %d numbers", select, items, WIDTH);
        }
    }

    private static final Size SMALL = new Size(8, 64, 10, 100);
    private static final Size LARGE = new Size(64, 4096, 1000, 10);

    /** Numbers the rounds, so that none has the items of another. */
    private int asked;

    @Override
    public String name() {
        return "advise";
    }

    @Override
    public String doing() {
        return "an adviser's answers, within its service and from Python (two minutes)";
    }

    @Override
    public List<Row> run(Effort effort) {
        try {
            Path folder = Scratch.folder();
            try (DurableAdviser adviser = DurableAdviser.open(folder, DurableAdviser.Options.defaults())) {
                List<Row> rows = new ArrayList<>(inside(adviser, effort, "few earlier scores"));
                rows.addAll(fromPython(adviser, effort));
                for (int i = 0; i < EARLIER_ROUNDS; i++) {
                    milliseconds(adviser, SMALL);
                }
                rows.addAll(inside(adviser, effort, "those of " + EARLIER_ROUNDS + " more rounds"));
                return rows;
            } finally {
                Scratch.remove(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Row> inside(DurableAdviser adviser, Effort effort, String known) {
        List<Row> rows = new ArrayList<>();
        for (Size size : List.of(SMALL, LARGE)) {
            String what = "adviser: asks for " + size + ", with " + known;
            rows.add(Row.atMost(what, median(adviser, size, effort), size.most(), "ms"));
        }
        return rows;
    }

    private double median(DurableAdviser adviser, Size size, Effort effort) {
        int rounds = effort.rounds(size.rounds());
        for (int i = 0; i < rounds / 2; i++) {
            milliseconds(adviser, size);
        }
        double[] times = new double[rounds];
        Arrays.setAll(times, i -> milliseconds(adviser, size));
        return Rounds.quantile(times, MEDIAN);
    }

    /** How long a question takes; its scores are told afterwards. */
    private double milliseconds(DurableAdviser adviser, Size size) {
        RandomStream random = RandomStream.of(++asked, Purpose.CHECK);
        float[] features = new float[size.items() * WIDTH];
        for (int i = 0; i < features.length; i++) {
            features[i] = (float) random.nextGaussian();
        }
        Items items = Items.points(WIDTH, features);
        long start = System.nanoTime();
        Advice advice = adviser.ask(Question.of(items).withPace(new Pace.Fixed(size.select())));
        double milliseconds = (System.nanoTime() - start) * 1e-6;
        List<Optional<Score>> scores = Arrays.stream(advice.indices())
                .mapToObj(item -> Optional.of(Score.of(features[item * WIDTH] + 0.1 * random.nextGaussian())))
                .toList();
        adviser.tell(advice.round(), scores, true);
        return milliseconds;
    }

    /** What the client waits beyond the time of the service; the two take turns. */
    private List<Row> fromPython(DurableAdviser adviser, Effort effort) throws IOException {
        Path folder = Scratch.folder();
        List<Row> rows = new ArrayList<>();
        try (AdviserServer server = AdviserServer.start(AdviserServer.Settings.at(0), adviser, "bench")) {
            Path script = folder.resolve(SCRIPT);
            try (InputStream source = Advise.class.getResourceAsStream(SCRIPT)) {
                Files.copy(source, script);
            }
            for (Size size : List.of(SMALL, LARGE)) {
                String what = "adviser: round trip of pgkq.Adviser.ask, " + size + ", beyond the service's time";
                try (RoundProcess client =
                        new RoundProcess(SCRIPT, command(script, server.address(), size), Map.of())) {
                    client.line();
                    rows.add(Row.atMost(what, more(adviser, client, size, effort), MOST_MORE, "ms"));
                } catch (IllegalStateException e) {
                    rows.add(Row.notMeasured(what, "≤ " + (int) MOST_MORE + " ms", String.valueOf(e.getMessage())));
                }
            }
        } finally {
            Scratch.remove(folder);
        }
        return rows;
    }

    private double more(DurableAdviser adviser, RoundProcess client, Size size, Effort effort) {
        int rounds = effort.rounds(size.rounds());
        double[] ours = new double[rounds];
        double[] clients = new double[rounds];
        for (int i = -rounds / 2; i < rounds; i++) {
            double inside = milliseconds(adviser, size);
            client.go();
            double outside = Double.parseDouble(client.line()) * 1e-6;
            if (i >= 0) {
                ours[i] = inside;
                clients[i] = outside;
            }
        }
        return Rounds.quantile(clients, MEDIAN) - Rounds.quantile(ours, MEDIAN);
    }

    /** The client is beside the launcher. */
    private static List<String> command(Path script, String address, Size size) {
        Path launcher = Path.of(System.getProperty("pgkq.command", "pgkq")).toAbsolutePath();
        return List.of(
                PythonSettings.defaults().command(),
                script.toString(),
                launcher.resolveSibling("python").toString(),
                address,
                Integer.toString(size.select()),
                Integer.toString(size.items()),
                Integer.toString(WIDTH));
    }
}
