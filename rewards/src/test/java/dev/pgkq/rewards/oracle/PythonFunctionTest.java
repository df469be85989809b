package dev.pgkq.rewards.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.TestRequests;
import dev.pgkq.text.UserException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PythonFunctionTest extends EvaluatorContract {
    private static final String JUDGE = """
            import os, time
            FOLDER = %s
            def index(episode): return int(episode.id.split("/")[-1])
            def steps(episode): return [100 * index(episode) + t for t in range(episode.length)]
            def whole(episode):
                print("a line for standard output")
                return 100 * index(episode) + 0.5
            def one_short(episode): return steps(episode)[1:]
            def one_more(episode): return steps(episode) + [1]
            def not_a_number(episode): return [float("nan")] * episode.length
            def infinite(episode): return float("inf")
            def nonsense(episode): return "seven"
            def huge(episode): return [0.123456789] * 200000
            def silent(episode):
                with open(FOLDER + "/asked", "w") as file: file.write("asked\\n")
                time.sleep(1000)
            def together(episode):
                open(FOLDER + "/met-" + episode.idempotency_key, "w").close()
                while sum(name.startswith("met-") for name in os.listdir(FOLDER)) < 8: time.sleep(0.05)
                return tuple(steps(episode))
            def priced(episode):
                return {"return": len(episode.observations) + len(episode.states), "cost": 0.25, "note": episode.ending}
            def by_name(episode): return len(episode["observations"]) + episode["length"]
            def misnamed(episode): return episode["observation"]
            def raising(episode): raise ValueError("no opinion")
            """;

    @BeforeEach
    void needsPython() {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, "python3"))),
                "skipped without python3 on the PATH");
    }

    private Evaluator open(String function) throws IOException {
        Files.writeString(folder.resolve("judge_of_tests.py"), JUDGE.formatted("'" + folder + "'"));
        return Evaluators.open("python:judge_of_tests:" + function, settings().withStartFolder(folder));
    }

    @Override
    Evaluator open(Behaviour behaviour) throws IOException {
        return open(behaviour.name().toLowerCase(Locale.ROOT));
    }

    @Override
    void awaitArrival() throws InterruptedException {
        Background.await("the call", () -> Files.exists(folder.resolve("asked")));
    }

    @Test
    void aDictionaryHasACostAndANote() throws Exception {
        try (Evaluator evaluator = open("priced")) {
            Reply answer = evaluator.evaluate(TestRequests.ask(1));
            assertThat(answer.values()).containsExactly(2 * TestRequests.LENGTH + 1);
            assertThat(answer.cost()).hasValue(0.25);
            assertThat(answer.note()).contains("terminated");
            assertThat(evaluator.identity()).isEqualTo("python:judge_of_tests:priced");
        }
    }

    @Test
    void thePartsOfAnEpisodeHaveNamesToo() throws Exception {
        try (Evaluator evaluator = open("by_name")) {
            assertThat(evaluator.evaluate(TestRequests.ask(1)).values()).containsExactly(2 * TestRequests.LENGTH);
        }
        try (Evaluator evaluator = open("misnamed")) {
            assertThatThrownBy(() -> evaluator.evaluate(TestRequests.ask(1)))
                    .hasMessageContaining("KeyError: 'observation'");
        }
    }

    @Test
    void anExceptionIsAFailureWithPythonsWords() throws Exception {
        try (Evaluator evaluator = open("raising")) {
            assertThatThrownBy(() -> evaluator.evaluate(TestRequests.ask(1)))
                    .isInstanceOf(EvaluationException.class)
                    .hasMessageContaining("ValueError: no opinion");
        }
    }

    @Test
    void whatCannotBeCalledIsSaidBeforeAnybodyIsAsked() {
        assertThatThrownBy(() -> open("absent"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("the module judge_of_tests has no function absent");
        assertThatThrownBy(() -> Evaluators.open("python:no_such_module:score", settings()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no module no_such_module in ");
        assertThatThrownBy(() -> Evaluators.open("python:score", settings()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("give python:MODULE:FUNCTION, such as python:my_judge:score");
        assertThatThrownBy(() -> Evaluators.open("python:a:b", settings().withPython("no-such-python")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no program 'no-such-python' on the PATH");
    }
}
