package dev.pgkq.app.web;

import dev.pgkq.rewards.people.Item;
import dev.pgkq.rewards.people.PeopleQueue;
import dev.pgkq.rewards.people.PeopleQueue.Next;
import dev.pgkq.rewards.people.PeopleQueue.Winner;
import dev.pgkq.rewards.people.QueueStatus;
import dev.pgkq.rewards.people.RaterName;
import dev.pgkq.rewards.people.Rating;
import dev.pgkq.rewards.people.RatingRefused;
import dev.pgkq.rewards.people.RatingScale;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Where people rate: hands out what waits in the queue of a run, and writes down what they say. */
final class RatingRoutes implements AutoCloseable {
    private static final String PLACE = "/api/runs/{run}/rating";

    private final ServedFolder folder;
    private final Runs runs;
    private final InstantSource clock;
    private final Map<Path, Opened> queues = new HashMap<>();
    private boolean closed;

    /**
     * A queue in use.
     *
     * @param file tells whether the file is still the one that was opened
     */
    private record Opened(Object file, PeopleQueue queue) {}

    RatingRoutes(ServedFolder folder, Runs runs, InstantSource clock) {
        this.folder = folder;
        this.runs = runs;
        this.clock = clock;
    }

    void addTo(RoutesConfig routes) {
        routes.get(PLACE, request -> RunRoutes.json(request, Json.write(status(looked(run(request))))));
        routes.post(PLACE + "/next", asRater((queue, call) -> shown(queue.next(call.rater))));
        routes.post(PLACE + "/renew", asRater((queue, call) -> {
            Duration lease = queue.renew(call.rater, call.text("key"));
            return Map.of("leaseSeconds", lease.toMillis() / 1e3);
        }));
        routes.post(PLACE + "/rate", asRater((queue, call) -> {
            JsonNode value = call.body.path("value");
            if (!value.isNumber()) {
                throw HttpErrors.badRequest("\"value\" is missing, or not a number");
            }
            queue.rate(call.rater, call.text("key"), value.doubleValue());
            return status(queue.status());
        }));
        routes.post(PLACE + "/compare", asRater((queue, call) -> {
            queue.compare(call.rater, call.text("key"), winner(call.text("winner")));
            return status(queue.status());
        }));
        routes.post(PLACE + "/undo", asRater((queue, call) -> shown(queue.undo(call.rater))));
        routes.post(PLACE + "/skip", asRater((queue, call) -> {
            queue.skip(call.rater, call.text("key"));
            return status(queue.status());
        }));
    }

    /** What a rater sent. */
    private record Call(RaterName rater, JsonNode body) {
        String text(String field) {
            JsonNode value = body.path(field);
            if (!value.isString()) {
                throw HttpErrors.badRequest("\"" + field + "\" is missing, or not a text");
            }
            return value.stringValue();
        }
    }

    private ServedRun run(Context request) {
        return runs.named(request.pathParam("run")).run();
    }

    private Handler asRater(BiFunction<PeopleQueue, Call, Object> deed) {
        return request -> {
            try {
                RaterName rater = new RaterName(Guards.requireRater(request).name());
                Call call = new Call(rater, Json.object(request.body()));
                RunRoutes.json(request, Json.write(deed.apply(queue(run(request)), call)));
            } catch (RatingRefused e) {
                throw new HttpErrors(409, e.getMessage());
            }
        };
    }

    private static Winner winner(String word) {
        return switch (word) {
            case "a" -> Winner.A;
            case "b" -> Winner.B;
            case "tie" -> Winner.TIE;
            default -> throw HttpErrors.badRequest("\"winner\" is \"a\", \"b\" or \"tie\"");
        };
    }

    private PeopleQueue queue(ServedRun run) {
        return opened(run).orElseThrow(RatingRoutes::nothingAsked);
    }

    private QueueStatus looked(ServedRun run) {
        Path directory = run.directory().path();
        return folder.servedDatabase(PeopleQueue.file(directory))
                .flatMap(_ -> PeopleQueue.readStatus(directory, clock))
                .orElseThrow(RatingRoutes::nothingAsked);
    }

    private static HttpErrors nothingAsked() {
        return HttpErrors.notFound("no ratings are asked for in this run so far");
    }

    /** The file may be gone and another be there: what is written must never go to a file that nobody finds. */
    private Optional<PeopleQueue> opened(ServedRun run) {
        Path directory = run.directory().path();
        Optional<Object> file =
                folder.servedDatabase(PeopleQueue.file(directory)).flatMap(RatingRoutes::identity);
        synchronized (queues) {
            if (closed) {
                throw new HttpErrors(503, "the server is being stopped");
            }
            Opened known = queues.get(directory);
            if (known != null && file.isPresent() && known.file.equals(file.get())) {
                return Optional.of(known.queue);
            }
            if (known != null) {
                queues.remove(directory);
                known.queue.close();
            }
            Optional<PeopleQueue> fresh = file.flatMap(there -> PeopleQueue.openExisting(directory, clock));
            fresh.ifPresent(queue -> queues.put(directory, new Opened(file.orElseThrow(), queue)));
            return fresh;
        }
    }

    /** Without opening it: whoever closes a file takes SQLite's locks away. */
    private static Optional<Object> identity(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            Object key = attributes.fileKey();
            return Optional.of(key == null ? attributes.creationTime() : key);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Map<String, @Nullable Object> status(QueueStatus status) {
        RatingScale scale = status.settings().scale();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("mode", status.settings().rating().name().toLowerCase(Locale.ROOT));
        if (status.settings().rating() == Rating.SCALE) {
            fields.put(
                    "scale",
                    Map.of(
                            "low", scale.low(),
                            "high", scale.high(),
                            "lowLabel", scale.lowLabel(),
                            "highLabel", scale.highLabel()));
        }
        fields.put("iteration", status.iteration());
        fields.put("episodes", status.episodes());
        fields.put("open", status.items());
        fields.put("rated", status.rated());
        fields.put("perEpisode", status.settings().raters());
        fields.put("closesIn", status.closesIn().map(RatingRoutes::seconds).orElse(null));
        fields.put(
                "raters",
                status.raters().stream()
                        .map(rater -> Map.of("name", rater.name(), "ratings", rater.ratings()))
                        .toList());
        fields.put("latest", status.latest().stream().map(RatingRoutes::result).toList());
        return fields;
    }

    /** Whole ones: what is told again whenever it changes should not change all the time. */
    private static long seconds(Duration time) {
        return (time.toMillis() + 999) / 1000;
    }

    private static Map<String, @Nullable Object> result(QueueStatus.Result result) {
        Map<String, @Nullable Object> fields = place(result.place());
        fields.put("value", result.judgement().value());
        double error = result.judgement().error();
        fields.put("error", Double.isNaN(error) ? null : error);
        return fields;
    }

    private static Map<String, @Nullable Object> place(Item.Place place) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("iteration", place.iteration());
        fields.put("index", place.episode());
        return fields;
    }

    private static Map<String, @Nullable Object> shown(Next next) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        switch (next) {
            case Next.Wait(String why) -> {
                answer.put("item", null);
                answer.put("why", why);
            }
            case Next.Show(Item item, Duration lease) -> {
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                fields.put("key", item.key());
                if (item.second().isPresent()) {
                    fields.put("a", place(item.first()));
                    fields.put("b", place(item.second().get()));
                } else {
                    fields.putAll(place(item.first()));
                }
                fields.put("leaseSeconds", lease.toMillis() / 1e3);
                answer.put("item", fields);
            }
        }
        return answer;
    }

    @Override
    public void close() {
        synchronized (queues) {
            closed = true;
            queues.values().forEach(opened -> opened.queue.close());
            queues.clear();
        }
    }
}
