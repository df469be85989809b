package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;

/**
 * Sessions as signed cookies; the server keeps no session state. The signing key is derived from the tokens, so sessions
 * survive a restart with the same tokens and end when the tokens change.
 */
final class SessionCookies {
    private static final Duration LIFETIME = Duration.ofDays(30);
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;
    private final InstantSource clock;
    private volatile String cookieName = "pgkq";

    SessionCookies(byte[] key, InstantSource clock) {
        this.key = new SecretKeySpec(key, ALGORITHM);
        this.clock = clock;
    }

    /** Sets the server's port. It is part of the cookie's name, because browsers do not separate cookies by port. */
    void setPort(int port) {
        cookieName = "pgkq-" + port;
    }

    String cookieName() {
        return cookieName;
    }

    static UserSession newSession(Role role) {
        return new UserSession(Tokens.random(), role, "");
    }

    /** The value of the header that sets the cookie. */
    String cookie(UserSession session, boolean secure) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("session", session.id());
        fields.put("role", session.role().name());
        fields.put("name", session.name());
        fields.put("until", clock.instant().plus(LIFETIME).getEpochSecond());
        String payload = encode(Json.write(fields).getBytes(UTF_8));
        return header(payload + "." + sign("cookie " + payload), LIFETIME.toSeconds(), secure);
    }

    /** The value of the header that removes the cookie. */
    String expiredCookie(boolean secure) {
        return header("", 0, secure);
    }

    private String header(String value, long seconds, boolean secure) {
        return cookieName + "=" + value + "; Path=/; Max-Age=" + seconds + "; HttpOnly; SameSite=Strict"
                + (secure ? "; Secure" : "");
    }

    /** The session in a cookie; empty if the signature is wrong or the session has expired. */
    Optional<UserSession> session(String cookie) {
        int point = cookie.indexOf('.');
        if (point < 0 || !same(sign("cookie " + cookie.substring(0, point)), cookie.substring(point + 1))) {
            return Optional.empty();
        }
        JsonNode fields =
                Json.objectOrEmpty(new String(Base64.getUrlDecoder().decode(cookie.substring(0, point)), UTF_8));
        if (fields.path("until").asLong(0) < clock.instant().getEpochSecond()) {
            return Optional.empty();
        }
        return Optional.of(new UserSession(
                fields.path("session").asString(""),
                Role.valueOf(fields.path("role").asString("NONE")),
                fields.path("name").asString("")));
    }

    /** The token that requests of this session must carry if they change state. */
    String csrfToken(UserSession session) {
        return session.id().isEmpty() ? "" : sign("csrf " + session.id());
    }

    boolean isCsrfToken(UserSession session, String given) {
        return !session.id().isEmpty() && same(csrfToken(session), given);
    }

    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(UTF_8), other.getBytes(UTF_8));
    }

    private String sign(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return encode(mac.doFinal(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e); // every Java platform provides it
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
