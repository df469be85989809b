package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://me:hush@db/runs",
                "jdbc:postgresql://me:h/hush@db/runs",
                "jdbc:postgresql://db/runs?user=me&password=hush&ssl=true",
                "exec:judge --api-key hush --n 3",
                "exec:judge --api-key \"hush\" --n 3",
                "exec:judge --token='hush'",
                "Authorization: Bearer hush",
                "authorization: Basic hush",
                "X-Api-Key: hush",
                "SECRET_ABC=hush judge",
                "the service said: {\"token\": \"hush\"}",
                "the service said: {\\\"token\\\": \\\"hush\\\"}",
                "exec:judge --token 'hush hush'",
                "https://hush@judge.example/score",
                "https://judge.example/score?code=hush answered with status 500",
                "https://judge.example/score?n=1&weird.name[]=hush#end",
                "curl 'https://judge.example/score?code=hush'",
                "no route to /score?code=hush;hush",
            })
    void areMasked(String text) {
        assertThat(Secrets.mask(text)).doesNotContain("hush").contains("***");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "they are asked for again with the same key after a pause",
                "http://127.0.0.1:8080/score",
                "exec:python3 examples/rewards/score.py --rubric kind",
                "the passage is clear",
                "https://judge.example/score?3f2a9c01d4e5 answered with status 500",
                "is n=1 right? & then",
            })
    void otherTextStaysUnchanged(String text) {
        assertThat(Secrets.mask(text)).isEqualTo(text);
    }

    /** With patterns that try every start and every end of a name, the first of these takes hours. */
    @ParameterizedTest
    @ValueSource(
            strings = {"pass", "key-", "://", "://a:", "://a@", "?", "&a", "key ", "--token\t", "key\"", "\\", "pass:'"
            })
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void hostileTextTakesLinearTimeAndIsCut(String part) {
        String text = part.repeat(4_000_000 / part.length());
        assertThat(Secrets.mask(text.substring(0, Secrets.MAX_LENGTH))).hasSizeLessThan(2 * Secrets.MAX_LENGTH);
        assertThat(Secrets.mask(text)).endsWith("…").hasSizeLessThan(2 * Secrets.MAX_LENGTH);
    }
}
