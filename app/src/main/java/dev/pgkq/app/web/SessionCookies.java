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
 * SessionCookies in cookies, nothing of them in the server: who a visitor is, signed. The key comes from the tokens, so that a
 * restart with the same tokens knows its visitors, and other tokens end all sessions.
 */
final class SessionCookies {
    private static final Duration LIFE = Duration.ofDays(30);
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;
    private final InstantSource clock;
    private volatile String cookieName = "pgkq";

    SessionCookies(byte[] key, InstantSource clock) {
        this.key = new SecretKeySpec(key, ALGORITHM);
        this.clock = clock;
    }

    /** Cookies do not know ports: two servers on one machine need two names. */
    void listeningAt(int port) {
        cookieName = "pgkq-" + port;
    }

    String cookieName() {
        return cookieName;
    }

    static UserSession begin(Role role) {
        return new UserSession(Tokens.random(), role, "");
    }

    /** The value of the header that sets the cookie. */
    String cookie(UserSession visitor, boolean secure) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("session", visitor.session());
        fields.put("role", visitor.role().name());
        fields.put("name", visitor.name());
        fields.put("until", clock.instant().plus(LIFE).getEpochSecond());
        String payload = encode(Json.write(fields).getBytes(UTF_8));
        return header(payload + "." + sign("cookie " + payload), LIFE.toSeconds(), secure);
    }

    /** The value of the header that removes the cookie. */
    String noCookie(boolean secure) {
        return header("", 0, secure);
    }

    private String header(String value, long seconds, boolean secure) {
        return cookieName + "=" + value + "; Path=/; Max-Age=" + seconds + "; HttpOnly; SameSite=Strict"
                + (secure ? "; Secure" : "");
    }

    /** Who a cookie is of; empty if it is not one of ours, or too old. */
    Optional<UserSession> visitor(String cookie) {
        int point = cookie.indexOf('.');
        if (point < 0 || !same(sign("cookie " + cookie.substring(0, point)), cookie.substring(point + 1))) {
            return Optional.empty();
        }
        JsonNode fields = Json.lenient(new String(Base64.getUrlDecoder().decode(cookie.substring(0, point)), UTF_8));
        if (fields.path("until").asLong(0) < clock.instant().getEpochSecond()) {
            return Optional.empty();
        }
        return Optional.of(new UserSession(
                fields.path("session").asString(""),
                Role.valueOf(fields.path("role").asString("NONE")),
                fields.path("name").asString("")));
    }

    /** What requests of this session that change something must carry. */
    String csrf(UserSession visitor) {
        return visitor.session().isEmpty() ? "" : sign("csrf " + visitor.session());
    }

    boolean isCsrf(UserSession visitor, String given) {
        return !visitor.session().isEmpty() && same(csrf(visitor), given);
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
            throw new AssertionError(e); // every Java has it
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
