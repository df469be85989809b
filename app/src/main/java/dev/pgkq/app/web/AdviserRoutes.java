package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.app.logged.NpyFile;
import dev.pgkq.rewards.advise.Advice;
import dev.pgkq.rewards.advise.AdviceRefused;
import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.rewards.advise.FolderTaken;
import dev.pgkq.rewards.advise.Question;
import dev.pgkq.rewards.advise.Report;
import dev.pgkq.rewards.database.DatabaseFull;
import dev.pgkq.rewards.database.DatabaseLocked;
import dev.pgkq.text.UserException;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** The API of an adviser. {@code openapi.json} describes it; a test compares the two. */
final class AdviserRoutes {
    static final String ROOT = "/api/advise";
    static final String DESCRIPTION = "openapi.json";

    private static final int INSUFFICIENT_STORAGE = 507;
    private static final int LOCKED = 423;

    private final DurableAdviser adviser;
    private final String version;

    /** @param version of this program, for the status */
    AdviserRoutes(DurableAdviser adviser, String version) {
        this.adviser = adviser;
        this.version = version;
    }

    /**
     * What answers to a method and a path.
     *
     * @param path below {@link #ROOT}, with parameters in braces
     */
    record Route(HandlerType method, String path, Handler handler) {}

    List<Route> routes() {
        return List.of(
                new Route(HandlerType.POST, "/rounds", this::ask),
                new Route(HandlerType.GET, "/rounds", this::rounds),
                new Route(HandlerType.GET, "/rounds/{round}", this::round),
                new Route(HandlerType.POST, "/rounds/{round}/scores", this::tell),
                new Route(HandlerType.GET, "/rounds/{round}/estimates", this::estimates),
                new Route(HandlerType.POST, "/rounds/{round}/abandon", this::abandon),
                new Route(HandlerType.POST, "/rounds/{round}/rescore", this::rescore),
                new Route(HandlerType.GET, "/status", this::status),
                new Route(HandlerType.GET, "/" + DESCRIPTION, AdviserRoutes::description));
    }

    void addTo(JavalinConfig config) {
        routes().forEach(route -> config.routes.addHttpHandler(route.method(), ROOT + route.path(), route.handler()));
        config.routes.exception(
                AdviceRefused.class,
                (e, request) -> ErrorPage.answer(
                        request,
                        switch (e.reason()) {
                            case INVALID -> 400;
                            case BUDGET -> 402;
                            case UNKNOWN -> 404;
                            case CONFLICT -> 409;
                        },
                        message(e)));
        config.routes.exception(
                DatabaseFull.class, (e, request) -> ErrorPage.answer(request, INSUFFICIENT_STORAGE, message(e)));
        config.routes.exception(DatabaseLocked.class, (e, request) -> ErrorPage.answer(request, LOCKED, message(e)));
        config.routes.exception(FolderTaken.class, (e, request) -> ErrorPage.answer(request, LOCKED, message(e)));
    }

    private static String message(UserException e) {
        return String.valueOf(e.getMessage());
    }

    private void ask(Context request) {
        byte[] body = request.bodyAsBytes();
        Question question = AdviserAccess.contentType(request).equals(AdviserAccess.NPY)
                ? QuestionReader.npy(
                        body,
                        request.queryParam("select"),
                        request.queryParam("judge"),
                        request.queryParam("lengths"),
                        request.queryParam("round"),
                        request.queryParam("request"))
                : QuestionReader.json(body);
        answer(request, adviser.ask(question));
    }

    private static void answer(Context request, Advice advice) {
        request.status(advice.resumed() ? 200 : 201);
        RunRoutes.json(request, AdviserJson.of(advice));
    }

    private void rounds(Context request) {
        String after = request.queryParam("after");
        RunRoutes.json(request, AdviserJson.of(adviser.rounds(after == null ? 0 : number("after", after))));
    }

    private void round(Context request) {
        RunRoutes.json(request, AdviserJson.of(adviser.round(number(request))));
    }

    private void tell(Context request) {
        int round = number(request);
        AdviserBodies.Scores scores = AdviserBodies.scores(text(request));
        RunRoutes.json(
                request,
                AdviserJson.of(
                        scores.byId().isPresent()
                                ? adviser.tell(round, scores.byId().get(), scores.estimates())
                                : adviser.tell(round, scores.inOrder(), scores.estimates())));
    }

    private void estimates(Context request) {
        Report report = adviser.estimates(number(request));
        String accepted = request.header("Accept");
        if (accepted != null && accepted.contains(AdviserAccess.NPY)) {
            request.contentType(AdviserAccess.NPY)
                    .result(NpyFile.ofColumns(
                            AdviserJson.columns(report.estimates().orElseThrow())));
        } else {
            RunRoutes.json(request, AdviserJson.of(report));
        }
    }

    private void abandon(Context request) {
        AdviserBodies.Abandonment body = AdviserBodies.abandonment(text(request));
        RunRoutes.json(
                request, AdviserJson.of(adviser.abandon(number(request), body.ids(), body.free(), body.replace())));
    }

    private void rescore(Context request) {
        AdviserBodies.Rescoring body = AdviserBodies.rescoring(text(request));
        answer(request, adviser.rescore(number(request), body.judge(), body.pace(), body.request()));
    }

    private void status(Context request) {
        RunRoutes.json(request, AdviserJson.of(adviser.status(), version));
    }

    private static void description(Context request) {
        RunRoutes.json(request, description());
    }

    static String description() {
        try (InputStream in = AdviserRoutes.class.getResourceAsStream(DESCRIPTION)) {
            if (in == null) {
                throw new IllegalStateException("the build has no " + DESCRIPTION);
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The body of a request that is not a matrix. */
    private static String text(Context request) {
        if (!AdviserAccess.contentType(request).equals(AdviserAccess.JSON)) {
            throw new HttpError(415, "the body must be JSON, with Content-Type: " + AdviserAccess.JSON);
        }
        return request.body();
    }

    private static int number(Context request) {
        return number("the number of the round", request.pathParam("round"));
    }

    private static int number(String what, String text) {
        if (!text.matches("\\d{1,9}")) {
            throw HttpError.badRequest(what + " must be a number");
        }
        return Integer.parseInt(text);
    }
}
