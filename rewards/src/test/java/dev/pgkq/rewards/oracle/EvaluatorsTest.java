package dev.pgkq.rewards.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EvaluatorsTest {
    @TempDir
    Path folder;

    private EvaluatorSettings settings() {
        return EvaluatorSettings.defaults("run", folder);
    }

    private String identity(String spec) {
        try (Evaluator evaluator = Evaluators.open(spec, settings())) {
            return evaluator.identity();
        }
    }

    @Test
    void anIdentityIsWhatWasGiven() {
        String files = "files:" + folder.resolve("box");
        for (String spec : new String[] {"exec:sh -c 'exit 1'", "http://localhost:8000/score", files}) {
            assertThat(Evaluators.knows(spec)).isTrue();
            assertThat(identity(spec)).isEqualTo(spec);
        }
        assertThat(identity("exec:  sh  pom.xml ")).isEqualTo("exec:sh  pom.xml");
    }

    @Test
    void theQueryOfAnAddressCountsButIsNotShown() {
        String one = identity("https://judge.example.org/score?key=secret-1");
        assertThat(one).startsWith("https://judge.example.org/score?").doesNotContain("secret");
        assertThat(identity("https://judge.example.org/score?key=secret-1")).isEqualTo(one);
        assertThat(identity("https://judge.example.org/score?key=secret-2")).isNotEqualTo(one);
    }

    @Test
    void whatLooksLikeAKeyInAPathCountsButIsNotShown() {
        String one = identity("https://hooks.example.org/services/T0k3nOfTheService0001/score");
        assertThat(one).matches("https://hooks.example.org/services/[0-9a-f]{12}/score");
        assertThat(identity("https://hooks.example.org/services/T0k3nOfTheService0002/score"))
                .isNotEqualTo(one);
        assertThat(identity("https://hooks.example.org/123e4567-e89b-12d3-a456-426614174000"))
                .doesNotContain("123e4567");
        String model = "https://judge.example.org/v1/models/large-instruct-3-70b-preview/score";
        assertThat(identity(model)).isEqualTo(model);
    }

    @Test
    void aSpecificationIsShownWithoutSecrets() {
        assertThat(Evaluators.shown(" https://me:secret@judge.example.org/score?code=secret "))
                .startsWith("https://judge.example.org/score?")
                .doesNotContain("secret");
        assertThat(Evaluators.shown("https://judge.example.org/score?code=1"))
                .isEqualTo(identity("https://judge.example.org/score?code=1"));
        assertThat(Evaluators.shown("exec:sh score.sh?")).isEqualTo("exec:sh score.sh?");
        assertThat(Evaluators.shown("http://a b/?secret")).doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "https://me:secret@judge.example.org/, contains a user name or password",
        "https://, is invalid",
        "https:///score, has no host",
        "http://judge:99999/?secret, invalid port",
        "http://a b/?secret, is invalid",
        "http://judge/#part, contains a #"
    })
    void anAddressThatCannotBeUsedIsToldAtOnce(String address, String message) {
        assertThatThrownBy(() -> identity(address))
                .isInstanceOf(UserException.class)
                .message()
                .contains(message)
                .doesNotContain("secret");
    }

    @Test
    void aTokenThatIsNoneIsToldAtOnceButNotShown() {
        EvaluatorSettings settings =
                settings().withTokenVariable("MINE").withEnvironment(Map.of("MINE", "secret\nword"));
        assertThatThrownBy(() -> Evaluators.open("http://localhost/", settings))
                .isInstanceOf(UserException.class)
                .message()
                .contains("variable MINE")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "builtin", "python3 score.py", "exce:sh", "ftp://host/"})
    void otherWordsAreRefusedWithWhatThereIs(String spec) {
        assertThat(Evaluators.knows(spec)).isFalse();
        assertThatThrownBy(() -> Evaluators.open(spec, settings()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("exec:COMMAND");
    }
}
