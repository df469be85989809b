package dev.pgkq.rewards.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.TestRequests;
import dev.pgkq.text.UserException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
            def looking_up(episode):
                return {}["bad"] + sum(
                    episode.observations)
            def inside(episode):
                import json
                return json.loads("[")
            def without_argument(): return 1
            class Column:
                def __init__(self, rows): self.rows, self.shape, self.ndim = rows, (len(rows), len(rows[0])), 2
                def reshape(self, minus_one): return [value for row in self.rows for value in row]
            def table(episode): return Column([[1, 2]] * episode.length)
            def column(episode): return Column([[value] for value in steps(episode)])
            def priced_wrongly(episode): return {"rewards": [1], "cost": 0.25}
            class Price:
                def __float__(self): return 0.125
            def overloaded(episode): return {"error": "overloaded", "cost": Price()}
            def beyond(episode): return {"return": 10**400, "cost": 0.25}
            def both(episode): return {"rewards": steps(episode), "return": 1}
            def dead(episode): os._exit(3)
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

    private EvaluationException failure(String function) throws IOException {
        try (Evaluator evaluator = open(function)) {
            return catchThrowableOfType(EvaluationException.class, () -> evaluator.evaluate(TestRequests.ask(1)));
        }
    }

    /** Python marks the place in a line from 3.11 on, which must not take the room of the place itself. */
    @Test
    void anExceptionIsQuotedWithThePlaceInTheUsersCode() throws Exception {
        Path judge = folder.resolve("judge_of_tests.py");
        assertThat(failure("looking_up"))
                .hasMessageMatching(
                        "(?s)python:judge_of_tests:looking_up failed; its last output: File \"" + judge
                                + "\", line \\d+, in looking_up / return .*\\[\"bad\"].* / KeyError: 'bad'; all of it is in .*");
        assertThat(failure("inside"))
                .hasMessageContaining("File \"" + judge + "\", line ")
                .hasMessageContaining(", in inside / return json.loads(\"[\") / json.decoder.JSONDecodeError: ");
        for (String function : List.of("looking_up", "inside", "raising")) {
            assertThat(failure(function)).message().doesNotContain("<string>", "frozen", "exit code");
        }
    }

    @Test
    void whatAFunctionReturnsIsRefusedInOneSentence() throws Exception {
        int steps = TestRequests.LENGTH;
        Map<String, String> reasons = Map.of(
                "one_more", "it returned " + (steps + 1) + " numbers for an episode of " + steps + " steps",
                "one_short", "it returned " + (steps - 1) + " numbers for an episode of " + steps + " steps",
                "table",
                        "it returned an array of shape (" + steps + ", 2) for an episode of " + steps
                                + " steps, but must return a number, a number for each step, or a dictionary",
                "nonsense", "it returned 'seven', but must return a number, a number for each step, or a dictionary",
                "infinite", "it returned inf, but numbers must be finite",
                "not_a_number", "it returned nan for step 0, but numbers must be finite",
                "both", "it returned a dictionary with both \"rewards\" and \"return\"");
        for (Map.Entry<String, String> reason : reasons.entrySet()) {
            assertThat(failure(reason.getKey()))
                    .hasMessageContaining("python:judge_of_tests:" + reason.getKey() + " failed; its last output: "
                            + reason.getValue())
                    .message()
                    .doesNotContain("Traceback", "<string>", "standard output", "exit code");
        }
        assertThat(failure("dead")).hasMessageContaining("ended its process with exit code 3");
    }

    @Test
    void theCostOfAnInvalidAnswerCounts() throws Exception {
        assertThat(failure("priced_wrongly").cost()).hasValue(0.25);
        assertThat(failure("beyond").cost()).hasValue(0.25);
        assertThat(failure("overloaded")).hasMessageContaining("overloaded");
        assertThat(failure("overloaded").cost()).hasValue(0.125);
    }

    @Test
    void aColumnIsANumberForEachStep() throws Exception {
        try (Evaluator evaluator = open("column")) {
            assertThat(evaluator.evaluate(TestRequests.ask(2)).values()).containsExactly(TestRequests.rewards(2));
        }
    }

    @Test
    void aRightAnswerIsWhatAFunctionReturns() throws Exception {
        try (Evaluator evaluator = open("whole")) {
            assertThat(evaluator.rightAnswer(90))
                    .isEqualTo("a number, a list or array of 90 numbers, one for each step, or a dictionary such as"
                            + " {\"return\": 7.5, \"cost\": 0.02}");
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
    void theFolderOfAVirtualEnvironmentNamesItsInterpreter() throws Exception {
        Path python = Command.find("python3", folder, System.getenv()).words().stream()
                .map(Path::of)
                .findFirst()
                .orElseThrow();
        Process made = new ProcessBuilder(
                        python.toString(), "-m", "venv", "--without-pip", folder.resolve(".venv") + "")
                .inheritIO()
                .start();
        assertThat(made.waitFor()).isZero();
        Files.writeString(
                folder.resolve("where.py"), "import sys\ndef score(episode): return sys.prefix.endswith('.venv')\n");
        EvaluatorSettings inFolder = settings().withStartFolder(folder).withPython(".venv");
        try (Evaluator evaluator = Evaluators.open("python:where:score", inFolder)) {
            assertThat(evaluator.evaluate(TestRequests.ask(1)).values()).containsExactly(1);
        }
    }

    private void refuses(String source, String... reasons) throws IOException {
        Files.writeString(folder.resolve("refused.py"), source);
        assertThatThrownBy(
                        () -> Evaluators.open("python:refused:score", settings().withStartFolder(folder)))
                .isInstanceOf(UserException.class)
                .message()
                .contains(reasons)
                .doesNotContain("<string>", "<frozen", "importlib");
    }

    @Test
    void aModuleThatCannotBeImportedIsReportedWithItsPlace() throws IOException {
        Path file = folder.resolve("refused.py");
        refuses("def score(episode):\n    return (1\n", "File \"" + file + "\", line 2", "SyntaxError: ");
        refuses("\nx = {}['none']\n", "File \"" + file + "\", line 2, in <module>", "KeyError: 'none'");
        refuses(
                "import os\nimport no_such_package.inner\n",
                file + " imports no_such_package in line 2, which ",
                " -m pip install no_such_package");
        refuses(
                "\ndef score(): return 1\n",
                file
                        + ", line 2: the function is called with the episode and nothing else, as in def score(episode), but it is"
                        + " defined as score()");
    }

    @Test
    void whatCannotBeCalledIsSaidBeforeAnybodyIsAsked() {
        assertThatThrownBy(() -> open("absent"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("the module judge_of_tests has no function absent");
        assertThatThrownBy(() -> Evaluators.open("python:no_such_module:score", settings()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no module no_such_module in ");
        assertThatThrownBy(() -> Evaluators.open("python:dockjudge.py:score", settings()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("name the module, without .py: python:dockjudge:score");
        assertThatThrownBy(() -> Evaluators.open("python:score", settings()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("give python:MODULE:FUNCTION, such as python:my_judge:score");
        assertThatThrownBy(() -> Evaluators.open("python:a:b", settings().withPython("no-such-python")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no program 'no-such-python' on the PATH");
    }
}
