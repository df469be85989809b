package dev.pgkq.app.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Logging in and out, and who one is. */
final class SessionRoutes {
    private final Guards guards;
    private final Sessions sessions;

    SessionRoutes(Guards guards) {
        this.guards = guards;
        this.sessions = guards.sessions();
    }

    void addTo(RoutesConfig routes) {
        routes.get(Guards.SESSION, this::session);
        routes.post(Guards.SESSION, this::name);
        routes.post(Guards.LOGIN, this::login);
        routes.post("/api/logout", this::logout);
    }

    private void session(Context request) {
        Visitor visitor = Guards.visitor(request);
        if (visitor.role() != Role.NONE && visitor.session().isEmpty()) {
            visitor = begin(request, Sessions.begin(visitor.role()));
        }
        tell(request, visitor);
    }

    private void name(Context request) {
        tell(request, begin(request, Guards.visitor(request).named(text(request, "name"))));
    }

    private void login(Context request) {
        tell(request, begin(request, Sessions.begin(guards.login(request, text(request, "token")))));
    }

    private void logout(Context request) {
        request.header("Set-Cookie", sessions.noCookie(secure(request)));
        tell(request, Visitor.NOBODY);
    }

    private Visitor begin(Context request, Visitor visitor) {
        request.header("Set-Cookie", sessions.cookie(visitor, secure(request)));
        return visitor;
    }

    /** A reverse proxy says so; if somebody else does, his own browser keeps the cookie to itself. */
    private static boolean secure(Context request) {
        return "https".equals(request.header("X-Forwarded-Proto"));
    }

    private void tell(Context request, Visitor visitor) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("role", visitor.role().word());
        answer.put("csrf", sessions.csrf(visitor));
        answer.put("name", visitor.name());
        request.header("Cache-Control", "no-store");
        RunRoutes.json(request, Json.write(answer));
    }

    private static String text(Context request, String field) {
        JsonNode value = Json.object(request.body()).path(field);
        if (!value.isString()) {
            throw HttpErrors.badRequest("\"" + field + "\" is missing, or not a text");
        }
        return value.stringValue();
    }
}
