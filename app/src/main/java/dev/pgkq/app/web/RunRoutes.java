package dev.pgkq.app.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What can be asked about runs. */
final class RunRoutes {
    private final ServedFolder folder;
    private final Runs runs;

    RunRoutes(ServedFolder folder, Runs runs) {
        this.folder = folder;
        this.runs = runs;
    }

    void addTo(RoutesConfig routes) {
        routes.get("/api/runs", this::list);
        routes.get("/api/runs/{run}", this::one);
        routes.get("/api/runs/{run}/metrics", this::metrics);
    }

    private void list(Context request) {
        List<Map<String, @Nullable Object>> cards =
                runs.all().stream().map(RunFeed::card).toList();
        json(request, Json.write(cards));
    }

    private void one(Context request) {
        RunFeed feed = feed(request);
        Map<String, @Nullable Object> card = new LinkedHashMap<>(feed.card());
        card.put("config", feed.settings());
        card.put("events", feed.story());
        json(request, Json.write(card));
    }

    private void metrics(Context request) {
        json(request, MetricsText.json(MetricsText.lines(folder, feed(request).run().directory())));
    }

    private RunFeed feed(Context request) {
        return runs.named(request.pathParam("run"));
    }

    static void json(Context request, String text) {
        request.contentType("application/json").result(text);
    }
}
