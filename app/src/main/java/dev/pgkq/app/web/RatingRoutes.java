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

/** Routes for raters: hand out items from a run's queue and store the ratings. */
final class RatingRoutes implements AutoCloseable {
    private static final String PATH = "/api/runs/{run}/rating";

    private final ServedFolder folder;
    private final RunRegistry runs;
    private final InstantSource clock;
    private final Map<Path, OpenQueue> queues = new HashMap<>();
    private boolean closed;

    /**
     * An open queue.
     *
     * @param file identity of the file that was opened, to detect its replacement
     */
    private record OpenQueue(Object file, PeopleQueue queue) {}

    RatingRoutes(ServedFolder folder, RunRegistry runs, InstantSource clock) {
        this.folder = folder;
        this.runs = runs;
        this.clock = clock;
    }

    void addTo(RoutesConfig routes) {
        routes.get(PATH, this::status);
        routes.post(PATH + "/next", asRater((queue, call) -> next(queue.next(call.rater))));
        routes.post(PATH + "/renew", asRater((queue, call) -> {
            Duration lease = queue.renew(call.rater, call.text("key"));
            return Map.of("leaseSeconds", lease.toMillis() / 1e3);
        }));
        routes.post(PATH + "/rate", asRater((queue, call) -> {
            JsonNode value = call.body.path("value");
            if (!value.isNumber()) {
                throw HttpError.badRequest("\"value\" is missing or not a number");
            }
            queue.rate(call.rater, call.text("key"), value.doubleValue());
            return status(call.feed, queue.status());
        }));
        routes.post(PATH + "/compare", asRater((queue, call) -> {
            queue.compare(call.rater, call.text("key"), winner(call.text("winner")));
            return status(call.feed, queue.status());
        }));
        routes.post(PATH + "/undo", asRater((queue, call) -> next(queue.undo(call.rater))));
        routes.post(PATH + "/skip", asRater((queue, call) -> {
            queue.skip(call.rater, call.text("key"));
            return status(call.feed, queue.status());
        }));
    }

    private void status(Context request) {
        RunFeed feed = runs.byId(request.pathParam("run"));
        RunRoutes.json(request, Json.write(status(feed, queueStatus(feed.run()))));
    }

    /** A rater's request. */
    private record RatingRequest(RunFeed feed, RaterName rater, JsonNode body) {
        String text(String field) {
            JsonNode value = body.path(field);
            if (!value.isString()) {
                throw HttpError.badRequest("\"" + field + "\" is missing or not a string");
            }
            return value.stringValue();
        }
    }

    private Handler asRater(BiFunction<PeopleQueue, RatingRequest, Object> action) {
        return request -> {
            try {
                RaterName rater =
                        new RaterName(AccessControl.requireRater(request).name());
                JsonNode body = Json.object(request.body());
                RunFeed feed = runs.byId(request.pathParam("run"));
                RatingRequest call = new RatingRequest(feed, rater, body);
                RunRoutes.json(request, Json.write(action.apply(queue(feed.run()), call)));
            } catch (RatingRefused e) {
                throw new HttpError(409, e.getMessage());
            }
        };
    }

    private static Winner winner(String word) {
        return switch (word) {
            case "a" -> Winner.A;
            case "b" -> Winner.B;
            case "tie" -> Winner.TIE;
            default -> throw HttpError.badRequest("\"winner\" must be \"a\", \"b\" or \"tie\"");
        };
    }

    private PeopleQueue queue(ServedRun run) {
        return openQueue(run).orElseThrow(RatingRoutes::noQueue);
    }

    private QueueStatus queueStatus(ServedRun run) {
        Path directory = run.directory().path();
        return folder.servedDatabase(PeopleQueue.file(directory))
                .flatMap(_ -> PeopleQueue.readStatus(directory, clock))
                .orElseThrow(RatingRoutes::noQueue);
    }

    private static HttpError noQueue() {
        return HttpError.notFound("this run has not asked for ratings yet");
    }

    /** Reopens the queue if its file was replaced, so that no rating goes to a deleted file. */
    private Optional<PeopleQueue> openQueue(ServedRun run) {
        Path directory = run.directory().path();
        Optional<Object> file =
                folder.servedDatabase(PeopleQueue.file(directory)).flatMap(RatingRoutes::identity);
        synchronized (queues) {
            if (closed) {
                throw new HttpError(503, "the server is stopping");
            }
            OpenQueue known = queues.get(directory);
            if (known != null && file.isPresent() && known.file.equals(file.get())) {
                return Optional.of(known.queue);
            }
            if (known != null) {
                queues.remove(directory);
                known.queue.close();
            }
            Optional<PeopleQueue> fresh = file.flatMap(there -> PeopleQueue.openExisting(directory, clock));
            fresh.ifPresent(queue -> queues.put(directory, new OpenQueue(file.orElseThrow(), queue)));
            return fresh;
        }
    }

    /** The identity of a file. Does not open the file, because closing it again would release SQLite's locks. */
    private static Optional<Object> identity(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            Object key = attributes.fileKey();
            return Optional.of(key == null ? attributes.creationTime() : key);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Map<String, @Nullable Object> status(RunFeed feed, QueueStatus status) {
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
        fields.put("state", feed.state());
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

    /** Rounds up to whole seconds, so that a status that is sent on every change does not change all the time. */
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

    private static Map<String, @Nullable Object> next(Next next) {
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
