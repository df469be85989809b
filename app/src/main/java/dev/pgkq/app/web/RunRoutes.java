package dev.pgkq.app.web;

import dev.pgkq.app.config.Setting;
import dev.pgkq.app.trace.TraceReader;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** What can be asked about runs. */
final class RunRoutes {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** For the list, which has many. */
    private static final Duration A_MOMENT = Duration.ofMillis(300);

    /** The field that tells where a ledger is which may not be shown. */
    static final String ELSEWHERE = "elsewhere";

    private final ServedFolder folder;
    private final RunRegistry runs;
    private final LedgerSummaries ledgers;

    RunRoutes(ServedFolder folder, RunRegistry runs, LedgerSummaries ledgers) {
        this.folder = folder;
        this.runs = runs;
        this.ledgers = ledgers;
    }

    void addTo(RoutesConfig routes) {
        String run = "/api/runs/{run}";
        routes.get("/api/runs", this::list);
        routes.get(run, this::one);
        routes.get(run + "/metrics", this::metrics);
        routes.get(run + "/trace", this::trace);
        routes.get(run + "/figure", this::figure);
        routes.get(run + "/iterations/{iteration}", this::iteration);
        routes.get(run + "/iterations/{iteration}/episodes/{episode}", this::episode);
        routes.get(run + "/ledger", this::ledger);
    }

    private void list(Context request) {
        List<Map<String, @Nullable Object>> cards = runs.all().stream()
                .map(feed -> feed.card(ledgers.of(feed, A_MOMENT)))
                .toList();
        json(request, Json.write(cards));
    }

    private void one(Context request) {
        RunFeed feed = feed(request);
        Map<String, @Nullable Object> card = feed.card(ledgers.of(feed, A_MOMENT));
        card.put("config", feed.settings());
        card.put("events", feed.story());
        json(request, Json.write(card));
    }

    private void metrics(Context request) {
        json(
                request,
                MetricsCsv.json(MetricsCsv.lines(folder, feed(request).run().directory())));
    }

    private void trace(Context request) {
        ServedTrace traces = traces(request);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("iterations", traces.iterations());
        answer.put("episodes", traces.withEpisodes());
        answer.put("figure", traces.figure().isPresent());
        json(request, Json.write(answer));
    }

    private void figure(Context request) {
        json(
                request,
                traces(request)
                        .figure()
                        .orElseThrow(() -> HttpError.notFound("the run's task has no figure to draw")));
    }

    private void iteration(Context request) {
        int iteration = number(request, "iteration");
        json(
                request,
                traces(request)
                        .iteration(iteration)
                        .orElseThrow(() -> HttpError.notFound("nothing is kept of iteration " + iteration)));
    }

    private void episode(Context request) {
        int iteration = number(request, "iteration");
        int index = number(request, "episode");
        TraceReader.RecordedEpisode episode = traces(request)
                .episode(iteration, index)
                .orElseThrow(() -> HttpError.notFound("episode " + index + " of iteration " + iteration
                        + " is not kept; only those of recent iterations are (see --keep-episodes), and of batches that stayed on a"
                        + " cluster the chosen ones"));
        json(request, text(episode));
    }

    private static String text(TraceReader.RecordedEpisode episode) {
        StringBuilder json = new StringBuilder("{\"length\":").append(episode.length());
        json.append(",\"states\":[");
        for (int row = 0; row <= episode.length(); row++) {
            json.append(row == 0 ? "" : ",");
            numbers(json, episode.states(), row * episode.stateSize(), episode.stateSize());
        }
        json.append("],\"rewards\":");
        episode.rewards()
                .ifPresentOrElse(rewards -> numbers(json, rewards, 0, rewards.length), () -> json.append("null"));
        return json.append('}').toString();
    }

    private static void numbers(StringBuilder json, float[] values, int from, int count) {
        json.append('[');
        for (int i = 0; i < count; i++) {
            json.append(i == 0 ? "" : ",");
            float value = values[from + i];
            json.append(Float.isFinite(value) ? Float.toString(value) : "null");
        }
        json.append(']');
    }

    private void ledger(Context request) {
        RunFeed feed = feed(request);
        Optional<String> elsewhere = ledgers.elsewhere(feed);
        if (elsewhere.isPresent()) {
            json(request, Json.write(Map.of(ELSEWHERE, elsewhere.get())));
            return;
        }
        LedgerSummary summary = ledgers.of(feed, PATIENCE)
                .orElseThrow(() -> HttpError.notFound("the run has no ledger, or it cannot be read from here"));
        json(request, Json.write(fields(feed, summary)));
    }

    /** A ledger's sums with the run's budget. */
    static Map<String, @Nullable Object> fields(RunFeed feed, LedgerSummary summary) {
        return summary.fields(limit(feed, Setting.MAX_EVALUATIONS), limit(feed, Setting.MAX_COST));
    }

    private static OptionalDouble limit(RunFeed feed, Setting setting) {
        try {
            return OptionalDouble.of(Double.parseDouble(feed.setting(setting)));
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    private RunFeed feed(Context request) {
        return runs.named(request.pathParam("run"));
    }

    private ServedTrace traces(Context request) {
        return new ServedTrace(folder, feed(request).run());
    }

    private static int number(Context request, String name) {
        String text = request.pathParam(name);
        if (!text.matches("\\d{1,6}")) {
            throw HttpError.badRequest("an " + name + " is a number, as in the run's trace");
        }
        return Integer.parseInt(text);
    }

    static void json(Context request, String text) {
        request.contentType("application/json").result(text);
    }
}
