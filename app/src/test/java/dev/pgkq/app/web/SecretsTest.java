package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

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
            })
    void otherTextStaysUnchanged(String text) {
        assertThat(Secrets.mask(text)).isEqualTo(text);
    }
}
