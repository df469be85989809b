package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.rewards.people.RaterName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SessionCookiesTest {
    private static final InstantSource NOW = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));

    private static String value(String header) {
        return header.substring(header.indexOf('=') + 1, header.indexOf(';'));
    }

    @Test
    void aCookieHoldsTheSessionUntilItExpires() {
        byte[] key = Tokens.randomBytes(32);
        UserSession ada = SessionCookies.newSession(Role.VIEWER).withName(" Ada ");
        String cookie = value(new SessionCookies(key, NOW).cookie(ada, false));
        assertThat(ada.name()).isEqualTo("Ada");
        assertThat(new SessionCookies(key, later(29)).session(cookie)).contains(ada);
        assertThat(new SessionCookies(key, later(31)).session(cookie)).isEmpty();
        assertThat(new SessionCookies(Tokens.randomBytes(32), NOW).session(cookie))
                .isEmpty();
    }

    private static InstantSource later(int days) {
        return InstantSource.offset(NOW, Duration.ofDays(days));
    }

    @Test
    void eachSessionHasItsOwnCsrfToken() {
        SessionCookies cookies = new SessionCookies(Tokens.randomBytes(32), NOW);
        UserSession one = SessionCookies.newSession(Role.RATER);
        UserSession other = SessionCookies.newSession(Role.RATER);
        assertThat(cookies.isCsrfToken(one, cookies.csrfToken(one))).isTrue();
        assertThat(cookies.isCsrfToken(one, cookies.csrfToken(other))).isFalse();
        assertThat(cookies.isCsrfToken(one, "")).isFalse();
        assertThat(cookies.isCsrfToken(UserSession.ANONYMOUS, cookies.csrfToken(UserSession.ANONYMOUS)))
                .isFalse();
    }

    @Test
    void aNameIsKeptAsRatingsKeepIt() {
        UserSession session = SessionCookies.newSession(Role.RATER);
        assertThat(session.withName("<b>Zoë</b>").name()).isEqualTo("<b>Zoë</b>");
        assertThat(session.withName("Ann   Bo").name())
                .as("the name that ratings are stored under")
                .isEqualTo(new RaterName("Ann   Bo").text());
    }

    static List<String> invalidNames() {
        return List.of("", "  ", "a\nb", "a\u202eb", "x".repeat(RaterName.LONGEST + 1));
    }

    @ParameterizedTest
    @MethodSource("invalidNames")
    void anInvalidNameIsRejected(String name) {
        UserSession session = SessionCookies.newSession(Role.RATER);
        assertThatThrownBy(() -> session.withName(name)).isInstanceOf(HttpError.class);
    }
}
