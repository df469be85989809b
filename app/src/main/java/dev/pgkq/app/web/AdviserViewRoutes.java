package dev.pgkq.app.web;

import dev.pgkq.advise.Estimates;
import dev.pgkq.rewards.advise.AdviserArchive;
import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.rewards.advise.ItemMap;
import dev.pgkq.rewards.advise.ItemSketches;
import dev.pgkq.rewards.advise.RoundSummary;
import dev.pgkq.rewards.advise.RoundView;
import dev.pgkq.text.UserException;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Routes that show advisers: the folder's files are read, whether or not a process uses them. A round looks like an iteration of a
 * run, so that pages draw both with the same map.
 */
final class AdviserViewRoutes {
    private static final long SEARCH_MAX_AGE_MILLIS = 1500;

    private final ServedFolder folder;
    private final InstantSource clock;
    private final Liveness liveness;
    private final Map<ServedRun, Stamped> known = new ConcurrentHashMap<>();
    private final ItemSketches sketches = new ItemSketches();
    private volatile Found found = new Found(Long.MIN_VALUE / 2, List.of());

    /** The advisers in the folder, and when they were found. */
    private record Found(long millis, List<ServedRun> advisers) {}

    /** What was read of an adviser while its files had this stamp. */
    private record Stamped(String stamp, AdviserArchive.Contents contents) {}

    AdviserViewRoutes(ServedFolder folder, InstantSource clock) {
        this.folder = folder;
        this.clock = clock;
        this.liveness = new Liveness(clock);
    }

    void addTo(RoutesConfig routes) {
        routes.get("/api/advisers", this::list);
        routes.get("/api/advisers/{adviser}", this::one);
        routes.get("/api/advisers/{adviser}/rounds/{round}", this::round);
    }

    private void list(Context request) {
        List<Map<String, @Nullable Object>> all = new ArrayList<>();
        for (ServedRun adviser : advisers()) {
            try {
                all.add(overview(adviser, contents(adviser)));
            } catch (UserException e) {
                all.add(named(adviser, "unreadable"));
            }
        }
        RunRoutes.json(request, Json.write(all));
    }

    private void one(Context request) {
        ServedRun adviser = adviser(request);
        AdviserArchive.Contents contents = contents(adviser);
        Map<String, @Nullable Object> overview = overview(adviser, contents);
        List<Map<String, @Nullable Object>> rounds = new ArrayList<>();
        contents.rounds().forEach(round -> rounds.add(AdviserJson.fields(round)));
        overview.put("rounds", rounds);
        RunRoutes.json(request, Json.write(overview));
    }

    private void round(Context request) {
        String text = request.pathParam("round");
        if (!text.matches("\\d{1,9}")) {
            throw HttpError.badRequest("the round must be a number");
        }
        RoundView view = archive(adviser(request))
                .round(Integer.parseInt(text), sketches)
                .orElseThrow(() -> HttpError.notFound("there is no round " + text));
        RunRoutes.json(request, json(view));
    }

    private List<ServedRun> advisers() {
        if (clock.millis() - found.millis() >= SEARCH_MAX_AGE_MILLIS) {
            try {
                found = new Found(clock.millis(), folder.findAdvisers());
            } catch (UncheckedIOException e) {
                // those that are known
            }
            known.keySet().retainAll(found.advisers());
        }
        return found.advisers();
    }

    private ServedRun adviser(Context request) {
        String id = request.pathParam("adviser");
        return advisers().stream()
                .filter(adviser -> adviser.id().equals(id))
                .findFirst()
                .orElseThrow(() -> HttpError.notFound("no such adviser; it may have been moved or deleted"));
    }

    private static Path database(ServedRun adviser) {
        return adviser.directory().path().resolve(DurableAdviser.FILE);
    }

    private AdviserArchive archive(ServedRun adviser) {
        Path rounds = folder.servedDatabase(database(adviser))
                .orElseThrow(() -> HttpError.notFound("no such adviser; it may have been moved or deleted"));
        return new AdviserArchive(
                rounds, folder.servedDatabase(adviser.directory().ledger()));
    }

    private AdviserArchive.Contents contents(ServedRun adviser) {
        String stamp =
                stamp(database(adviser)) + " " + stamp(adviser.directory().ledger());
        Stamped before = known.get(adviser);
        if (before != null && before.stamp().equals(stamp)) {
            return before.contents();
        }
        AdviserArchive.Contents contents = archive(adviser).contents();
        known.put(adviser, new Stamped(stamp, contents));
        return contents;
    }

    /** Changes when the file or its log changes. */
    private static String stamp(Path file) {
        StringBuilder stamp = new StringBuilder();
        for (Path each : List.of(file, file.resolveSibling(file.getFileName() + "-wal"))) {
            try {
                stamp.append(Files.size(each)).append('/').append(Files.getLastModifiedTime(each));
            } catch (IOException e) {
                stamp.append("none");
            }
            stamp.append(' ');
        }
        return stamp.toString();
    }

    private static long modified(ServedRun adviser) {
        long latest = 0;
        Path file = database(adviser);
        for (Path each : List.of(file, file.resolveSibling(file.getFileName() + "-wal"))) {
            try {
                latest = Math.max(latest, Files.getLastModifiedTime(each).toMillis());
            } catch (IOException e) {
                // there is none
            }
        }
        return latest;
    }

    private static Map<String, @Nullable Object> named(ServedRun adviser, String state) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", adviser.id());
        fields.put("name", adviser.name());
        fields.put("state", state);
        return fields;
    }

    private Map<String, @Nullable Object> overview(ServedRun adviser, AdviserArchive.Contents contents) {
        List<RoundSummary> rounds = contents.rounds();
        String state = liveness.isRunning(adviser.directory(), 0) ? "running" : "stopped";
        Map<String, @Nullable Object> fields = named(adviser, state);
        fields.put("per", AdviserJson.per(contents.identity().grain()));
        fields.put("seed", contents.identity().seed());
        fields.put("round", rounds.isEmpty() ? 0 : rounds.getLast().round());
        fields.put("open", rounds.stream().filter(RoundSummary::open).count());
        fields.put("judges", rounds.stream().map(RoundSummary::judge).distinct().toList());
        fields.put("calls", contents.calls());
        fields.put("answers", contents.answers());
        fields.put("maxEvaluations", AdviserJson.limit(contents.budget().evaluations()));
        fields.put("cost", contents.cost());
        fields.put("maxCost", AdviserJson.known(contents.budget().cost()));
        fields.put("updated", modified(adviser));
        fields.put("version", contents.changes() + "-" + contents.calls() + "-" + contents.answers());
        return fields;
    }

    /** A round with the fields of an iteration of a run, and its own. */
    private static String json(RoundView view) {
        RoundSummary summary = view.summary();
        int size = view.ids().size();
        Map<String, @Nullable Object> fields = AdviserJson.fields(summary);
        fields.put("iteration", summary.round());
        fields.put("awaited", false);
        fields.put("ids", view.ids());
        fields.put("lengths", view.lengths());
        fields.put("endings", List.of());
        fields.put("returns", numbers(nothing(size)));
        fields.put("chosen", view.chosen());
        fields.put("weights", numbers(view.weights()));
        fields.put("paid", numbers(scores(view, view.chosen())));
        fields.put("predicted", Double.isFinite(summary.errorBefore()) ? numbers(view.predicted()) : null);
        fields.put("abandoned", view.abandoned());
        double[] owned = nothing(size);
        view.scores().forEach((place, score) -> owned[place] = score);
        fields.put("scores", numbers(owned));
        fields.put(
                "mean",
                view.estimates()
                        .map(Estimates::mean)
                        .map(AdviserViewRoutes::numbers)
                        .orElse(null));
        fields.put(
                "deviation",
                view.estimates()
                        .map(Estimates::deviation)
                        .map(AdviserViewRoutes::numbers)
                        .orElse(null));
        fields.put("map", view.map().map(AdviserViewRoutes::fields).orElse(null));
        List.of("wce", "wceRandom", "scale", "noise").forEach(name -> fields.put(name, null));
        return Json.write(fields);
    }

    private static double[] nothing(int size) {
        double[] nothing = new double[size];
        Arrays.fill(nothing, Double.NaN);
        return nothing;
    }

    private static double[] scores(RoundView view, int[] places) {
        return Arrays.stream(places)
                .mapToDouble(place -> view.scores().getOrDefault(place, Double.NaN))
                .toArray();
    }

    private static Map<String, Object> fields(ItemMap map) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("x", numbers(map.x()));
        fields.put("y", numbers(map.y()));
        fields.put("share", numbers(map.shares()));
        return fields;
    }

    /** Single precision is more than a display needs. */
    private static List<@Nullable Float> numbers(double[] values) {
        List<@Nullable Float> numbers = new ArrayList<>();
        for (double value : values) {
            numbers.add(Float.isFinite((float) value) ? (Float) (float) value : null);
        }
        return numbers;
    }
}
