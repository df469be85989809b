package dev.pgkq.rewards.oracle;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses the header {@code Retry-After} (RFC 9110, 10.2.3): seconds or a date. Anything else counts as absent. */
final class RetryAfter {
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");

    private RetryAfter() {}

    static Optional<Duration> parse(String value, Instant now) {
        String text = value.strip();
        if (SECONDS.matcher(text).matches()) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            Instant date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration wait = Duration.between(now, date);
            return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
