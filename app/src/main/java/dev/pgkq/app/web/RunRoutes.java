package dev.pgkq.app.web;

import dev.pgkq.app.config.Setting;
import dev.pgkq.app.trace.TraceReader;
import dev.pgkq.env.Recording;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Routes that read runs. */
final class RunRoutes {
    private static final Duration LEDGER_TIMEOUT = Duration.ofSeconds(5);
    /** Shorter for the list, which may read many ledgers. */
    private static final Duration LIST_LEDGER_TIMEOUT = Duration.ofMillis(300);

    /** The field that names the location of a ledger whose content may not be shown. */
    static final String HIDDEN_LOCATION = "elsewhere";

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
        routes.get(run + "/iterations/{iteration}/episodes/{episode}/frames", this::frames);
        routes.get(run + "/ledger", this::ledger);
    }

    private void list(Context request) {
        List<Map<String, @Nullable Object>> overviews = runs.all().stream()
                .map(feed -> feed.overview(ledgers.summary(feed, LIST_LEDGER_TIMEOUT)))
                .toList();
        json(request, Json.write(overviews));
    }

    private void one(Context request) {
        RunFeed feed = feed(request);
        Map<String, @Nullable Object> overview = feed.overview(ledgers.summary(feed, LIST_LEDGER_TIMEOUT));
        overview.put("config", feed.settings());
        overview.put("events", feed.events());
        json(request, Json.write(overview));
    }

    private void metrics(Context request) {
        json(
                request,
                MetricsCsv.json(MetricsCsv.lines(folder, feed(request).run().directory())));
    }

    private void trace(Context request) {
        ServedTrace trace = readTrace(request);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("iterations", trace.iterations());
        answer.put("episodes", trace.withEpisodes());
        answer.put("figure", trace.hasFigure());
        json(request, Json.write(answer));
    }

    private void figure(Context request) {
        json(
                request,
                readTrace(request).figure().orElseThrow(() -> HttpError.notFound("the run's task has no figure")));
    }

    private void iteration(Context request) {
        int iteration = number(request, "iteration");
        json(
                request,
                readTrace(request)
                        .iteration(iteration)
                        .orElseThrow(() -> HttpError.notFound("there is no trace of iteration " + iteration)));
    }

    private void episode(Context request) {
        int iteration = number(request, "iteration");
        int index = number(request, "episode");
        ServedTrace trace = readTrace(request);
        TraceReader.RecordedEpisode episode = trace.episode(iteration, index)
                .orElseThrow(() -> HttpError.notFound("episode " + index + " of iteration " + iteration
                        + " was not kept; pgkq keeps episodes of recent iterations only (see --keep-episodes), and only the"
                        + " selected ones of batches that stay on a cluster"));
        json(request, toJson(episode, trace.hasFrames(iteration, index)));
    }

    private void frames(Context request) {
        int iteration = number(request, "iteration");
        int index = number(request, "episode");
        Recording recording = readTrace(request)
                .frames(iteration, index)
                .orElseThrow(() ->
                        HttpError.notFound("there are no pictures of episode " + index + " of iteration " + iteration));
        StringBuilder json = new StringBuilder("{\"framesPerSecond\":")
                .append(recording.framesPerSecond() > 0 ? recording.framesPerSecond() : "null")
                .append(",\"frames\":[");
        for (int i = 0; i < recording.frames().size(); i++) {
            Recording.Frame frame = recording.frames().get(i);
            json.append(i == 0 ? "" : ",").append("{\"step\":").append(frame.step());
            json.append(",\"png\":\"")
                    .append(Base64.getEncoder().encodeToString(frame.png()))
                    .append("\"}");
        }
        json(request, json.append("]}").toString());
    }

    private static String toJson(TraceReader.RecordedEpisode episode, boolean hasFrames) {
        StringBuilder json = new StringBuilder("{\"length\":").append(episode.length());
        json.append(",\"states\":[");
        for (int row = 0; row <= episode.length(); row++) {
            json.append(row == 0 ? "" : ",");
            numbers(json, episode.states(), row * episode.stateSize(), episode.stateSize());
        }
        json.append("],\"rewards\":");
        episode.rewards()
                .ifPresentOrElse(rewards -> numbers(json, rewards, 0, rewards.length), () -> json.append("null"));
        return json.append(",\"frames\":").append(hasFrames).append('}').toString();
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
        Optional<String> elsewhere = ledgers.hiddenLocation(feed);
        if (elsewhere.isPresent()) {
            json(request, Json.write(Map.of(HIDDEN_LOCATION, elsewhere.get())));
            return;
        }
        LedgerSummary summary = ledgers.summary(feed, LEDGER_TIMEOUT)
                .orElseThrow(() -> HttpError.notFound("the run has no ledger, or the ledger cannot be read"));
        json(request, Json.write(fields(feed, summary)));
    }

    /** A ledger's totals with the run's budget. */
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
        return runs.byId(request.pathParam("run"));
    }

    private ServedTrace readTrace(Context request) {
        return new ServedTrace(folder, feed(request).run());
    }

    private static int number(Context request, String name) {
        String text = request.pathParam(name);
        if (!text.matches("\\d{1,6}")) {
            throw HttpError.badRequest("the " + name + " must be a number from the run's trace");
        }
        return Integer.parseInt(text);
    }

    static void json(Context request, String text) {
        request.contentType("application/json").result(text);
    }
}
