package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.rewards.people.RaterName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class SessionCookiesTest {
    private static final InstantSource NOW = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));

    private static String value(String header) {
        return header.substring(header.indexOf('=') + 1, header.indexOf(';'));
    }

    @Test
    void aCookieTellsWhoOneIsUntilItIsTooOld() {
        byte[] key = Tokens.randomBytes(32);
        UserSession ada = SessionCookies.begin(Role.VIEWER).named(" Ada ");
        String cookie = value(new SessionCookies(key, NOW).cookie(ada, false));
        assertThat(ada.name()).isEqualTo("Ada");
        assertThat(new SessionCookies(key, later(29)).visitor(cookie)).contains(ada);
        assertThat(new SessionCookies(key, later(31)).visitor(cookie)).isEmpty();
        assertThat(new SessionCookies(Tokens.randomBytes(32), NOW).visitor(cookie)).isEmpty();
    }

    private static InstantSource later(int days) {
        return InstantSource.offset(NOW, Duration.ofDays(days));
    }

    @Test
    void theWordAgainstForgedRequestsIsTheSessionsOwn() {
        SessionCookies sessions = new SessionCookies(Tokens.randomBytes(32), NOW);
        UserSession one = SessionCookies.begin(Role.RATER);
        UserSession other = SessionCookies.begin(Role.RATER);
        assertThat(sessions.isCsrf(one, sessions.csrf(one))).isTrue();
        assertThat(sessions.isCsrf(one, sessions.csrf(other))).isFalse();
        assertThat(sessions.isCsrf(one, "")).isFalse();
        assertThat(sessions.isCsrf(UserSession.NOBODY, sessions.csrf(UserSession.NOBODY)))
                .isFalse();
    }

    @Test
    void aNameIsShortAndOnOneLine() {
        UserSession visitor = SessionCookies.begin(Role.RATER);
        assertThat(visitor.named("<b>Zoë</b>").name()).isEqualTo("<b>Zoë</b>");
        assertThat(visitor.named("Ann   Bo").name())
                .as("the name by which ratings are kept")
                .isEqualTo(new RaterName("Ann   Bo").text());
        for (String wrong : new String[] {"", "  ", "a\nb", "a\u202eb", "x".repeat(RaterName.LONGEST + 1)}) {
            assertThatThrownBy(() -> visitor.named(wrong)).isInstanceOf(HttpError.class);
        }
    }
}
