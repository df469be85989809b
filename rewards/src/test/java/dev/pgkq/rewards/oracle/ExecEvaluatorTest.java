package dev.pgkq.rewards.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pgkq.rewards.request.Request;
import dev.pgkq.rewards.request.RequestJson;
import dev.pgkq.rewards.request.TestRequests;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ExecEvaluatorTest extends EvaluatorContract {
    @Override
    Evaluator open(Behaviour behaviour) throws IOException {
        return open(
                switch (behaviour) {
                    case STEPS -> STEPS;
                    case WHOLE -> "printf '{\"return\": %s00.5}' ${PGKQ_EPISODE##*/}";
                    case ONE_SHORT -> "echo '{\"rewards\": [1, 2, 3]}'";
                    case ONE_MORE -> "echo '{\"rewards\": [1, 2, 3, 4, 5]}'";
                    case NOT_A_NUMBER -> "echo '{\"rewards\": [1, 2, NaN, 4]}'";
                    case INFINITE -> "echo '{\"return\": 1e999}'";
                    case NONSENSE -> "echo 'Loading model...'; echo '{\"return\": 1}'";
                    case HUGE -> "yes 'no end of it'";
                    case SILENT -> "echo $$ >" + folder.resolve("pid") + "; sleep 1000; echo '{\"return\": 1}'";
                    case TOGETHER ->
                        "cd " + Files.createDirectories(folder.resolve("met")) + "; : >$PGKQ_IDEMPOTENCY_KEY\n"
                                + "until [ $(ls | wc -l) -eq " + TOGETHER + " ]; do sleep 0.05; done\n" + STEPS;
                });
    }

    private static final String STEPS =
            "i=$((${PGKQ_EPISODE##*/} * 100)); printf '{\"rewards\": [%s, %s, %s, %s]}' $i $((i + 1)) $((i + 2)) $((i + 3))";

    @Override
    void awaitArrival() throws InterruptedException {
        awaitFile("pid");
    }

    @Override
    void assertNothingIsLeft() throws IOException {
        assertThat(isRunning("pid")).isFalse();
    }

    private Evaluator open(String script) throws IOException {
        return open(script, settings());
    }

    private Evaluator open(String script, EvaluatorSettings settings) throws IOException {
        Path file = folder.resolve("score.sh");
        Files.writeString(file, script + "\n");
        return Evaluators.open("exec:sh " + file, settings);
    }

    private EvaluatorSettings impatient(Duration timeout) {
        return settings().withLimits(new EvaluatorSettings.Limits(timeout, Background.LONG, LIMIT));
    }

    private void awaitFile(String name) throws InterruptedException {
        Background.await("file " + name, () -> {
            try {
                return Files.readString(folder.resolve(name)).endsWith("\n");
            } catch (IOException e) {
                return false;
            }
        });
    }

    private boolean isRunning(String pidFile) throws IOException {
        long pid = Long.parseLong(Files.readString(folder.resolve(pidFile)).strip());
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        if (!Files.isDirectory(Path.of("/proc"))) {
            return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
        }
        try {
            return !Files.readString(stat).replaceFirst(".*\\) ", "").startsWith("Z");
        } catch (IOException e) {
            return false;
        }
    }

    private EvaluationException failure(Evaluator evaluator) {
        return catchThrowableOfType(EvaluationException.class, () -> evaluator.evaluate(TestRequests.ask(1)));
    }

    private List<String> names(String path) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(path))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void itsContentsAreTheFilesThatItsAnswersDependOn() throws Exception {
        for (String name : List.of("judge.py", "rubric.txt", "lib.sh", "calls", "calls.log", "judge")) {
            Files.writeString(folder.resolve(name), name);
        }
        assertThat(folder.resolve("judge").toFile().setExecutable(true)).isTrue();
        EvaluatorSettings here = settings().withStartFolder(folder);
        try (Evaluator script =
                        Evaluators.open("exec:/bin/sh judge.py rubric.txt calls calls.log lib.sh missing.txt", here);
                Evaluator program = Evaluators.open("exec:./judge --strict", here);
                Evaluator inline = Evaluators.open("exec:sh -c 'echo 1'", here)) {
            assertThat(script.contents()).containsOnlyKeys("judge.py", "rubric.txt", "lib.sh");
            // printf judge.py | sha256sum
            assertThat(script.contents())
                    .containsEntry("judge.py", "a41c6cc1aa95c67a4be62e8cb2ed50575c6bfbf0cbfe4dea1eecea7a5756a98e");
            assertThat(program.contents()).containsOnlyKeys("./judge");
            assertThat(inline.contents()).isEmpty();

            String before = script.contents().get("rubric.txt");
            Files.writeString(folder.resolve("rubric.txt"), "be kinder");
            assertThat(script.contents().get("rubric.txt")).isNotEqualTo(before);
            Files.delete(folder.resolve("rubric.txt"));
            assertThat(script.contents()).containsOnlyKeys("judge.py", "lib.sh");
        }
    }

    /** The program has hardly begun, and pgkq may end right after. */
    @Test
    void noProcessIsLeftWhenItIsClosed() throws Exception {
        for (int round = 0; round < 20; round++) {
            Path begun = folder.resolve("begun-" + round);
            Evaluator evaluator = open("echo $$ >" + begun + "; sleep 1000");
            Thread asking = Thread.ofPlatform()
                    .start(() -> assertThatThrownBy(() -> evaluator.evaluate(TestRequests.ask(1)))
                            .isInstanceOf(EvaluationException.class));
            while (!Files.exists(begun) || Files.size(begun) == 0) {
                Thread.onSpinWait();
            }
            evaluator.close();
            long process = Long.parseLong(Files.readString(begun).strip());
            Path status = Path.of("/proc", Long.toString(process), "stat");
            assertThat(Files.exists(status) ? Files.readString(status) : " Z ").contains(" Z ");
            asking.join();
        }
    }

    @Test
    void theRequestIsOnStandardInputAndItsNamesInTheEnvironment() throws Exception {
        Path seen = folder.resolve("seen");
        Request request = TestRequests.ask(2).withAttempt(3);
        try (Evaluator evaluator = open("cat >" + seen + "; echo \"$PGKQ_IDEMPOTENCY_KEY $PGKQ_EPISODE $PGKQ_TASK"
                + " $PGKQ_ITERATION $PGKQ_ATTEMPT $PGKQ_START_FOLDER\" >" + seen + ".env; echo '{\"return\": 1}'")) {
            evaluator.evaluate(request);
        }
        assertThat(seen).hasBinaryContent(RequestJson.write("run-7", request));
        assertThat(folder.resolve("seen.env"))
                .hasContent("key-2 run-7/3/2 Point-v0 3 3 " + Path.of("").toAbsolutePath());
    }

    @Test
    void theWorkingDirectoryIsItsOwnAndGoesWhenAllWentWell() throws Exception {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "");
        try (Evaluator evaluator = open("pwd >" + folder.resolve("pwd") + "; mkdir -p a/b; : >a/b/c; ln -s " + outside
                + " link; echo '{\"return\": 1}'")) {
            evaluator.evaluate(TestRequests.ask(1));
        }
        assertThat(Files.readString(folder.resolve("pwd"))).contains("run/oracle/evaluations/key-1.1");
        assertThat(names("run/oracle/evaluations")).isEmpty();
        assertThat(outside.resolve("precious")).exists();
        assertThat(names("run/oracle")).as("no empty logs").containsExactly("evaluations");
    }

    @Test
    void aFailureKeepsItsFolderAndSaysItsLastWords() throws Exception {
        try (Evaluator evaluator = open("echo first >&2; echo 'Segmentation \033[31mfault' >&2; exit 3")) {
            EvaluationException failure = failure(evaluator);
            assertThat(failure)
                    .hasMessageContaining("failed with exit code 3")
                    .hasMessageContaining("first / Segmentation [31mfault")
                    .hasMessageContaining("run/oracle/evaluations/key-1.1");
            assertThat(failure.getMessage()).doesNotContain("\033");
            assertThat(failure.retryable()).isTrue();
            // the same attempt after a crash
            assertThat(failure(evaluator)).hasMessageContaining("key-1.1-2");
        }
        assertThat(names("run/oracle/evaluations")).containsExactly("key-1.1", "key-1.1-2");
        assertThat(folder.resolve("run/oracle/evaluations/key-1.1/request.json"))
                .hasBinaryContent(RequestJson.write("run-7", TestRequests.ask(1)));
        assertThat(Files.readString(folder.resolve("run/oracle/key-1.1.stderr")))
                .startsWith("first\nSegm");
    }

    /** It may have been evaluated and paid for by then. */
    @Test
    void aProgramThatFailsAfterItsAnswerLeavesItInDoubt() throws Exception {
        EvaluationException failure = failure(open("echo '{\"return\": 1}'; exit 3"));
        assertThat(failure.call()).isEqualTo(EvaluationException.Call.IN_DOUBT);
        assertThat(failure.isAgainstContract()).isTrue();
        assertThat(failure(open("echo half; exit 3")).call()).isEqualTo(EvaluationException.Call.FAILED);
        assertThat(failure(open("sleep 1000", impatient(Duration.ofMillis(100))))
                        .call())
                .isEqualTo(EvaluationException.Call.IN_DOUBT);
    }

    @Test
    void aProgramMaySayThatItFailedAndWhatThatCost() throws Exception {
        EvaluationException answered = failure(open("echo '{\"error\": \"no capacity\", \"cost\": 0}'"));
        assertThat(answered).hasMessageContaining("reports an error: no capacity");
        assertThat(answered.cost()).hasValue(0);
        assertThat(answered.isAgainstContract()).isFalse();
        EvaluationException ended = failure(open("echo '{\"error\": \"no capacity\", \"cost\": 0.5}'; exit 1"));
        assertThat(ended.cost()).hasValue(0.5);
        assertThat(failure(open("echo '{\"score\": 3, \"cost\": 0.25}'")).cost())
                .hasValue(0.25);
        assertThat(failure(open("exit 1")).cost()).isEmpty();
    }

    @Test
    void exitCode78MeansThatTryingAgainWillNotHelp() throws Exception {
        try (Evaluator evaluator = open("echo 'no licence' >&2; exit 78")) {
            assertThat(failure(evaluator).retryable()).isFalse();
            assertThat(failure(evaluator)).hasMessageContaining("no licence");
        }
    }

    @Test
    void nonsenseIsQuotedInTheFailure() throws Exception {
        try (Evaluator evaluator = open("printf 'As a \\033[1mlanguage model\\nI cannot “score”'")) {
            assertThat(failure(evaluator))
                    .hasMessageContaining("; got “As a [1mlanguage model I cannot \"score\"”;")
                    .hasMessageContaining("standard output must contain only the answer");
        }
    }

    @Test
    void errorsOfManyEvaluationsAreKeptWithinBoundsAndThoseOfFailuresLongest() throws IOException {
        ErrorLogs logs = new ErrorLogs(folder, 1000, 6);
        for (int i = 0; i < 10; i++) {
            Files.writeString(logs.file("log" + i), "x".repeat(100));
            Files.setLastModifiedTime(logs.file("log" + i), FileTime.fromMillis(1_000_000L * i));
        }
        Files.writeString(folder.resolve("other"), "");
        logs.prune(Set.of("log0"), name -> name.equals("log2"));
        assertThat(names(""))
                .containsExactly(
                        "log0.stderr",
                        "log2.stderr",
                        "log6.stderr",
                        "log7.stderr",
                        "log8.stderr",
                        "log9.stderr",
                        "other");
        new ErrorLogs(folder, 350, 6).prune(Set.of(), name -> name.equals("log2"));
        assertThat(names("")).containsExactly("log2.stderr", "log8.stderr", "log9.stderr", "other");
    }

    @Test
    void aSignalIsNamed() throws Exception {
        try (Evaluator evaluator = open("kill -9 $$")) {
            assertThat(failure(evaluator)).hasMessageContaining("exit code 137 (killed by signal 9)");
        }
    }

    @Test
    void aTimeoutEndsChildrenAndGrandchildren() throws Exception {
        try (Evaluator evaluator = open(
                "sh -c 'sleep 1000 & echo $! >" + folder.resolve("grandchild") + "; wait' & wait",
                impatient(Duration.ofSeconds(3)))) {
            assertThat(failure(evaluator)).hasMessageContaining("did not answer within 3.0s");
        }
        assertThat(isRunning("grandchild")).isFalse();
    }

    @Test
    @Tag("slow")
    void aTimeoutEndsProcessesThatLostTheirParent() throws Exception {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc")), "orphans are found on Linux only");
        try (Evaluator evaluator = open(
                "(sleep 1000 >/dev/null 2>&1 & echo $! >" + folder.resolve("orphan") + "); sleep 1000",
                impatient(Duration.ofSeconds(3)))) {
            assertThat(failure(evaluator)).hasMessageContaining("did not answer within");
        }
        assertThat(isRunning("orphan")).isFalse();
    }

    @Test
    @Tag("slow")
    void aProgramMayCleanUpBeforeItIsKilledAndIsKilledIfItWillNotGo() throws Exception {
        try (Evaluator evaluator = open(
                "trap 'echo cancelled >" + folder.resolve("cleaned") + "' TERM; echo $$ >" + folder.resolve("pid")
                        + "; while :; do sleep 0.1; done",
                impatient(Duration.ofSeconds(3)))) {
            failure(evaluator);
        }
        assertThat(folder.resolve("cleaned")).hasContent("cancelled");
        assertThat(isRunning("pid")).isFalse();
    }

    @Test
    void closingEndsWhatIsRunning() throws Exception {
        Evaluator evaluator = open(Behaviour.SILENT);
        Background evaluation = Background.evaluate(evaluator, TestRequests.ask(1));
        awaitArrival();
        evaluator.close();
        assertThatThrownBy(evaluation::answer).hasCauseInstanceOf(EvaluationException.class);
        assertThat(isRunning("pid")).isFalse();
    }

    @Test
    void aProgramThatDoesNotReadOrWritesBeforeItReadsDoesNotBlock() throws Exception {
        int length = 20_000; // a request of more than a megabyte, larger than any pipe buffer
        Request large = new Request("large", "Point-v0", 3, 1, TestRequests.SPEC, TestRequests.episode(0, length));
        assertThat(RequestJson.write("run-7", large)).hasSizeGreaterThan(1 << 20);
        try (Evaluator evaluator = open("echo '{\"return\": 1}'")) {
            assertThat(evaluator.evaluate(large).total()).isEqualTo(1);
        }
        String spaces = "head -c 900000 /dev/zero | tr '\\0' ' '";
        try (Evaluator evaluator = open(spaces + "; " + spaces + " >&2; cat >/dev/null; echo '{\"return\": 2}'")) {
            assertThat(evaluator.evaluate(large).total()).isEqualTo(2);
        }
    }

    @Test
    void aFloodOfErrorsIsCutInTheMiddle() throws Exception {
        int lines = 400_000;
        try (Evaluator evaluator = open("seq 1 " + lines + " >&2; echo '{\"return\": 1}'")) {
            evaluator.evaluate(TestRequests.ask(1));
        }
        String kept = Files.readString(folder.resolve("run/oracle/key-1.1.stderr"));
        assertThat(kept)
                .startsWith("1\n2\n3\n")
                .endsWith("\n399999\n400000\n")
                .containsPattern("\n… \\d+ bytes omitted …\n")
                .hasSizeBetween(BoundedLog.HEAD, BoundedLog.HEAD + BoundedLog.TAIL + 50);
    }

    @Test
    void whatAProgramLeavesBehindEndsWithItAndDoesNotHoldUpTheAnswer() throws Exception {
        try (Evaluator evaluator =
                open("sleep 1000 & echo $! >" + folder.resolve("left") + "; echo '{\"return\": 1}'")) {
            assertThat(evaluator.evaluate(TestRequests.ask(1)).total()).isEqualTo(1);
        }
        if (Files.isDirectory(Path.of("/proc"))) {
            assertThat(isRunning("left")).isFalse();
        }
    }

    /** The variable by which processes are found is gone, and so is their parent. */
    @Test
    void anAnswerCountsWhileABackgroundProcessThatIsNotFoundHoldsTheOutput() throws Exception {
        Path left = folder.resolve("left");
        try (Evaluator evaluator = new RetryingEvaluator(
                open("(env -u PGKQ_EVALUATION sleep 1000 & echo $! >" + left + "); echo '{\"return\": 1}'"),
                new RetryPolicy(
                        1,
                        Optional.of(Duration.ofSeconds(3)),
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ZERO,
                        Double.POSITIVE_INFINITY,
                        1),
                AttemptListener.NONE)) {
            assertThat(evaluator.evaluate(TestRequests.ask(1)).total()).isEqualTo(1);
            assertThat(names("run/oracle/evaluations")).isEmpty();
        } finally {
            ProcessHandle.of(Long.parseLong(Files.readString(left).strip())).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void argumentsReachTheProgramAsTheyAre() throws Exception {
        Path program = folder.resolve("my program");
        Files.writeString(
                program,
                "#!/bin/sh\nprintf '%s\\n' \"$@\" >'" + folder.resolve("arguments") + "'\necho '{\"return\": 1}'\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        try (Evaluator evaluator =
                Evaluators.open("exec:'" + program + "' $HOME '*' \"a  b\" pom.xml --file=pom.xml", settings())) {
            evaluator.evaluate(TestRequests.ask(1));
        }
        assertThat(Files.readAllLines(folder.resolve("arguments")))
                .containsExactly(
                        "$HOME",
                        "*",
                        "a  b",
                        Path.of("pom.xml").toAbsolutePath().toString(),
                        "--file=pom.xml");
    }

    @Test
    void theEnvironmentReachesTheProgramAsItIs() throws Exception {
        Map<String, String> odd = new HashMap<>(settings().environment());
        odd.put("BASH_FUNC_module%%", "() {  echo $1; :\n}");
        odd.put("a.b", "x y=z");
        Path seen = folder.resolve("environment");
        try (Evaluator evaluator = Evaluators.open(
                "exec:perl -e 'open F, q(>" + seen
                        + "); print F $ENV{q(a.b)}, $ENV{q(BASH_FUNC_module%%)}; print q({\"return\": 1})'",
                settings().withEnvironment(odd))) {
            evaluator.evaluate(TestRequests.ask(1));
        }
        assertThat(seen).hasContent("x y=z() {  echo $1; :\n}");
    }

    @Test
    void aProgramThatIsNotThereIsToldAtOnce() throws IOException {
        assertThatThrownBy(() -> Evaluators.open("exec:no-such-program --fast", settings()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("no program 'no-such-program' on the PATH");
        assertThatThrownBy(() -> Evaluators.open("exec:./no-such-program", settings()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("no program ./no-such-program");
        assertThatThrownBy(() -> Evaluators.open("exec:./pom.xml", settings()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is not executable");
        Path program = Files.writeString(folder.resolve("score.sh"), "");
        Files.writeString(folder.resolve("judge.sh"), "");
        assertThatThrownBy(() -> Evaluators.open("exec:" + folder.resolve("scor.sh") + " --fast", settings()))
                .isInstanceOf(UserException.class)
                .message()
                .contains("there is no program " + folder.resolve("scor.sh") + ",")
                .endsWith("; did you mean " + program + "?");
        assertThatThrownBy(() -> Evaluators.open("exec:sh " + folder.resolve("scores.sh"), settings()))
                .message()
                .endsWith("; did you mean " + program + "?");
        assertThatThrownBy(() -> Evaluators.open("exec:" + folder.resolve("nothing-like-it"), settings()))
                .message()
                .endsWith("; specify its path");
        assertThatThrownBy(() -> Evaluators.open("exec:pom.xml", settings()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("exec:./pom.xml");
        assertThatThrownBy(() -> Evaluators.open("exec:  ", settings()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("requires a command");
        Map<String, String> lost = new HashMap<>(settings().environment());
        lost.remove("PATH");
        assertThatThrownBy(() -> Evaluators.open("exec:sh x", settings().withEnvironment(lost)))
                .isInstanceOf(UserException.class);
    }

    @Test
    void aScriptThatIsNotThereIsToldAtOnceWithTheOneThatWasMeant() throws IOException {
        Path script = Files.writeString(folder.resolve("score.py"), "");
        for (String command :
                List.of("python3 " + script + "y", "sh " + script + "y", "/usr/bin/perl " + script + "y")) {
            assertThatThrownBy(() -> Command.find(command, folder, Map.of("PATH", programs("python3", "sh"))))
                    .as(command)
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("no file " + script + "y")
                    .hasMessageEndingWith("did you mean " + script + "?");
        }
        assertThatThrownBy(() -> Command.find("python3 score.pyy", folder, Map.of("PATH", programs("python3"))))
                .hasMessageContaining("did you mean score.py?");
        assertThat(Command.find("python3 score.py", folder, Map.of("PATH", programs("python3")))
                        .words())
                .endsWith(script.toString());
    }

    @Test
    void whatOnlyLooksLikeAFileIsWarnedOf() throws IOException {
        Files.writeString(folder.resolve("score.py"), "");
        Path tools = Files.createDirectories(folder.resolve("tools"));
        Map<String, String> path = Map.of("PATH", programs("python3", "sh", "nice", "helper"));
        for (String fine : List.of(
                "python3 score.py --rubric 'be kind/firm, or not' and-so-on tools",
                "python3 -m judge",
                "python3 -c 'print(1/2)'",
                "sh -c 'cd /nowhere && ./x.sh'",
                "sh helper",
                "nice python3 score.py https://judge.example.org/x --out=a/b.py",
                "python3 tools")) {
            assertThat(Command.find(fine, folder, path).warnings()).as(fine).isEmpty();
        }
        assertThat(Command.find("python3 tools", folder, path).words()).endsWith(tools.toString());
        for (String doubtful : List.of("nice python3 scores.py", "python3 -u scores.py", "python3 score.py a/b.txt")) {
            assertThat(Command.find(doubtful, folder, path).warnings())
                    .as(doubtful)
                    .singleElement()
                    .asString()
                    .contains("there is no file", folder.toString());
        }
    }

    /** A folder with programs of these names. */
    private String programs(String... names) throws IOException {
        Path programs = Files.createDirectories(folder.resolve("programs"));
        for (String name : names) {
            assertThat(Files.writeString(programs.resolve(name), "").toFile().setExecutable(true))
                    .isTrue();
        }
        return programs.toString();
    }

    @Test
    void aProgramThatGoesAwayIsAFailure() throws IOException {
        Path program = folder.resolve("program");
        Files.writeString(program, "#!/bin/sh\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        try (Evaluator evaluator = Evaluators.open("exec:" + program, settings())) {
            Files.delete(program);
            assertThat(failure(evaluator)).hasMessageContaining("could not be started");
        }
    }
}
