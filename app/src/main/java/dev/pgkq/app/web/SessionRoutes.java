package dev.pgkq.app.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Routes to log in and out and to read or name the session. */
final class SessionRoutes {
    private final AccessControl access;
    private final SessionCookies cookies;

    SessionRoutes(AccessControl access) {
        this.access = access;
        this.cookies = access.cookies();
    }

    void addTo(RoutesConfig routes) {
        routes.get(AccessControl.SESSION, this::session);
        routes.post(AccessControl.SESSION, this::setName);
        routes.post(AccessControl.LOGIN, this::login);
        routes.post("/api/logout", this::logout);
    }

    private void session(Context request) {
        UserSession session = AccessControl.session(request);
        if (session.role() != Role.NONE && session.id().isEmpty()) {
            session = start(request, SessionCookies.newSession(session.role()));
        }
        respond(request, session);
    }

    private void setName(Context request) {
        respond(request, start(request, AccessControl.session(request).withName(text(request, "name"))));
    }

    private void login(Context request) {
        respond(request, start(request, SessionCookies.newSession(access.login(request, text(request, "token")))));
    }

    private void logout(Context request) {
        request.header("Set-Cookie", cookies.expiredCookie(secure(request)));
        respond(request, UserSession.ANONYMOUS);
    }

    private UserSession start(Context request, UserSession session) {
        request.header("Set-Cookie", cookies.cookie(session, secure(request)));
        return session;
    }

    /** Whether a reverse proxy reports HTTPS. A client that forges the header affects only its own cookie. */
    private static boolean secure(Context request) {
        return "https".equals(request.header("X-Forwarded-Proto"));
    }

    private void respond(Context request, UserSession session) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("role", session.role().apiName());
        answer.put("csrf", cookies.csrfToken(session));
        answer.put("name", session.name());
        request.header("Cache-Control", "no-store");
        RunRoutes.json(request, Json.write(answer));
    }

    private static String text(Context request, String field) {
        JsonNode value = Json.object(request.body()).path(field);
        if (!value.isString()) {
            throw HttpError.badRequest("\"" + field + "\" is missing or not a string");
        }
        return value.stringValue();
    }
}
