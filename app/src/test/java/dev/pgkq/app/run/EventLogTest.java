package dev.pgkq.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EventLogTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-02-03T04:05:06.789123Z"), ZoneOffset.UTC);

    @TempDir
    Path folder;

    @Test
    void anEventIsOneLineOfJson() throws IOException {
        Path file = folder.resolve("new/events.jsonl");
        try (EventLog log = EventLog.open(file, CLOCK)) {
            log.append("started", Map.of("seed", 1));
            log.append("note", Map.of("text", "two\nlines and a \"quote\"", "list", List.of(1, 2.5)));

            assertThat(Files.readAllLines(file)).hasSize(2);
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines.getFirst())
                .isEqualTo("{\"time\":\"2026-02-03T04:05:06.789Z\",\"event\":\"started\",\"seed\":1}");
        JsonNode second = new JsonMapper().readTree(lines.get(1));
        assertThat(second.path("text").stringValue()).isEqualTo("two\nlines and a \"quote\"");
        assertThat(second.path("list").path(1).doubleValue()).isEqualTo(2.5);
    }

    @Test
    void reopeningGoesOnAfterWholeLines() throws IOException {
        Path file = folder.resolve("events.jsonl");
        for (int i = 0; i < 3; i++) {
            try (EventLog log = EventLog.open(file, CLOCK)) {
                log.append("opened", Map.of());
            }
        }
        assertThat(Files.readString(file)).doesNotContain("\n\n");
        assertThat(Files.readAllLines(file)).hasSize(3);
    }

    @Test
    void afterAHalfWrittenLineAFreshOneIsStarted() throws IOException {
        Path file = folder.resolve("events.jsonl");
        try (EventLog log = EventLog.open(file, CLOCK)) {
            log.append("first", Map.of());
        }
        Files.writeString(file, "{\"time\":\"2026-0", StandardOpenOption.APPEND);

        try (EventLog log = EventLog.open(file, CLOCK)) {
            log.append("second", Map.of());
        }

        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(3);
        assertThat(lines.get(2)).startsWith("{\"time\"").contains("\"second\"");
    }

    @Test
    void theNamesOfTimeAndEventAreTaken() {
        try (EventLog log = EventLog.open(folder.resolve("events.jsonl"), CLOCK)) {
            assertThatThrownBy(() -> log.append("x", Map.of("time", 3))).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
