package dev.pgkq.app.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Logging in and out, and who one is. */
final class SessionRoutes {
    private final AccessControl guards;
    private final SessionCookies sessions;

    SessionRoutes(AccessControl guards) {
        this.guards = guards;
        this.sessions = guards.sessions();
    }

    void addTo(RoutesConfig routes) {
        routes.get(AccessControl.SESSION, this::session);
        routes.post(AccessControl.SESSION, this::name);
        routes.post(AccessControl.LOGIN, this::login);
        routes.post("/api/logout", this::logout);
    }

    private void session(Context request) {
        UserSession visitor = AccessControl.visitor(request);
        if (visitor.role() != Role.NONE && visitor.session().isEmpty()) {
            visitor = begin(request, SessionCookies.begin(visitor.role()));
        }
        tell(request, visitor);
    }

    private void name(Context request) {
        tell(request, begin(request, AccessControl.visitor(request).named(text(request, "name"))));
    }

    private void login(Context request) {
        tell(request, begin(request, SessionCookies.begin(guards.login(request, text(request, "token")))));
    }

    private void logout(Context request) {
        request.header("Set-Cookie", sessions.noCookie(secure(request)));
        tell(request, UserSession.NOBODY);
    }

    private UserSession begin(Context request, UserSession visitor) {
        request.header("Set-Cookie", sessions.cookie(visitor, secure(request)));
        return visitor;
    }

    /** A reverse proxy says so; if somebody else does, his own browser keeps the cookie to itself. */
    private static boolean secure(Context request) {
        return "https".equals(request.header("X-Forwarded-Proto"));
    }

    private void tell(Context request, UserSession visitor) {
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
            throw HttpError.badRequest("\"" + field + "\" is missing, or not a text");
        }
        return value.stringValue();
    }
}
