package dev.pgkq.app.training;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.run.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** A program that scores episodes and records every call, and a comparison of runs that used it. */
final class Scorer {
    private Scorer() {}

    /** Answers with a number derived from the key, after a moment: always the same for the same episode. */
    static String in(Path folder, Path calls) throws IOException {
        Path script = folder.resolve("score.sh");
        Files.writeString(script, """
                cat >/dev/null
                echo "$PGKQ_IDEMPOTENCY_KEY" >>"$1"
                sleep 0.05
                if [ -e "$1.meanwhile" ]; then . "$1.meanwhile"; fi
                echo "$PGKQ_IDEMPOTENCY_KEY" >>"$1.answers"
                printf '{"return": %d, "cost": 0.25}' "0x$(printf %.4s "$PGKQ_IDEMPOTENCY_KEY")"
                """, UTF_8);
        return "exec:sh " + script + " " + calls;
    }

    /** The file in which the program records every answer, just before it gives it. */
    static Path answers(Path calls) {
        return calls.resolveSibling(calls.getFileName() + ".answers");
    }

    /** The answer of the program to a request with this key. */
    static String answer(String key) {
        return "{\"return\": " + Integer.parseInt(key.substring(0, 4), 16) + ", \"cost\": 0.25}";
    }

    /** Makes the program execute a script before each of its answers. */
    static void meanwhile(Path calls, String script) throws IOException {
        Files.writeString(calls.resolveSibling(calls.getFileName() + ".meanwhile"), script, UTF_8);
    }

    /** How often each key was requested. */
    static Map<String, Integer> calls(Path file) throws IOException {
        Map<String, Integer> calls = new HashMap<>();
        for (String key : Files.readAllLines(file)) {
            calls.merge(key, 1, Integer::sum);
        }
        return calls;
    }

    /** Asserts that all metrics are the same, except for times. */
    static void assertSame(Path run, Path other) {
        Metrics one = Metrics.read(run.resolve("metrics.csv"));
        Metrics two = Metrics.read(other.resolve("metrics.csv"));
        assertThat(one.columns()).isEqualTo(two.columns());
        for (String column : one.columns()) {
            if (!column.startsWith("seconds")) {
                assertThat(one.column(column)).as(column).isEqualTo(two.column(column));
            }
        }
        assertThat(Arrays.stream(one.column("return_mean")).distinct().count()).isGreaterThan(1);
    }
}
