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
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FilesEvaluatorTest extends EvaluatorContract {
    private Path box;
    private Thread worker = new Thread(() -> {});

    @BeforeEach
    void place() {
        box = folder.resolve("box");
    }

    @AfterEach
    void stopWorker() throws InterruptedException {
        worker.interrupt();
        worker.join();
    }

    @Override
    Evaluator open(Behaviour behaviour) {
        Evaluator evaluator = Evaluators.open("files:" + box, settings());
        worker = Thread.ofPlatform().start(() -> work(behaviour));
        return evaluator;
    }

    /** A scheduler, as a user might write one. */
    private void work(Behaviour behaviour) {
        try {
            while (!Thread.interrupted()) {
                List<Path> requests = list("requests").stream()
                        .filter(name -> name.endsWith(".json"))
                        .map(name -> box.resolve("requests", name))
                        .toList();
                if (behaviour != Behaviour.SILENT && (behaviour != Behaviour.TOGETHER || requests.size() == TOGETHER)) {
                    for (Path request : requests) {
                        answer(request, behaviour);
                    }
                }
                Thread.sleep(5);
            }
        } catch (InterruptedException e) {
            // The test is over.
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(Path request, Behaviour behaviour) throws IOException {
        String name = request.getFileName().toString();
        Path claimed = request.resolveSibling(name.replace(".json", ".claimed"));
        Files.move(request, claimed, StandardCopyOption.ATOMIC_MOVE);
        int index = Integer.parseInt(name.replaceAll("key-|\\.json", ""));
        put(
                name,
                switch (behaviour) {
                    case STEPS, TOGETHER -> "{\"rewards\": " + Arrays.toString(TestRequests.rewards(index)) + "}";
                    case WHOLE -> "{\"return\": " + index + "00.5}";
                    case ONE_SHORT -> "{\"rewards\": [1, 2, 3]}";
                    case ONE_MORE -> "{\"rewards\": [1, 2, 3, 4, 5]}";
                    case NOT_A_NUMBER -> "{\"rewards\": [1, 2, NaN, 4]}";
                    case INFINITE -> "{\"return\": Infinity}";
                    case NONSENSE -> "Loading model...";
                    case HUGE -> "{\"return\": 1, \"note\": \"" + "x".repeat(LIMIT) + "\"}";
                    case SILENT -> throw new IllegalStateException();
                });
    }

    private void put(String name, String text) throws IOException {
        Path temporary = box.resolve("answers", "." + name);
        Files.writeString(temporary, text);
        Files.move(temporary, box.resolve("answers", name), StandardCopyOption.ATOMIC_MOVE);
    }

    private List<String> list(String part) throws IOException {
        try (Stream<Path> files = Files.list(box.resolve(part))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    @Override
    void awaitArrival() throws InterruptedException {
        Background.await("request", () -> Files.exists(box.resolve("requests/key-1.json")));
    }

    /** The request stays on purpose: the job may continue, and its answer must not be lost. */
    @Override
    void assertNothingIsLeft() throws IOException {
        assertThat(list("requests")).containsExactly("key-1.json");
    }

    /** Time that passes only while sleeping, with an action on the way. */
    private static final class Scripted implements Time {
        private final Step[] steps;
        private int at;

        Scripted(Step... steps) {
            this.steps = steps;
        }

        @Override
        public long nanos() {
            return at * Duration.ofSeconds(1).toNanos();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            if (at == steps.length) {
                throw new InterruptedException("the end of the script");
            }
            try {
                steps[at++].run();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private static final Step NOTHING = () -> {};

    private FilesEvaluator scripted(Step... steps) {
        EvaluatorSettings settings =
                settings().withPolling(new EvaluatorSettings.Polling(Duration.ofSeconds(1), Duration.ofSeconds(3)));
        return new FilesEvaluator(box.toString(), settings, new Scripted(steps));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(box.resolve(name), text);
    }

    @Test
    void theRequestAppearsWholeAndBothMoveWhenItIsAnswered() throws Exception {
        Request request = TestRequests.ask(2);
        FilesEvaluator evaluator = scripted(NOTHING, () -> {
            assertThat(box.resolve("requests/key-2.json")).hasBinaryContent(RequestJson.write("run-7", request));
            put("key-2.json", "{\"return\": 5}");
        });
        assertThat(evaluator.evaluate(request).total()).isEqualTo(5);
        assertThat(list("requests")).isEmpty();
        assertThat(list("answers")).isEmpty();
        assertThat(list("done")).containsExactly("key-2.answer.json", "key-2.request.json");
    }

    @Test
    void aHalfWrittenAnswerIsWaitedFor() throws Exception {
        FilesEvaluator evaluator = scripted(
                () -> write("answers/key-1.json", ""),
                () -> write("answers/key-1.json", "{\"retu"),
                NOTHING,
                NOTHING,
                // Its third second is over, but the file has changed
                () -> write("answers/key-1.json", "{\"return\": 4"),
                NOTHING,
                () -> write("answers/key-1.json", "{\"return\": 42}"));
        assertThat(evaluator.evaluate(TestRequests.ask(1)).total()).isEqualTo(42);
    }

    @Test
    void anAnswerThatStaysUnreadableFailsAndMakesRoomForTheNext() throws Exception {
        FilesEvaluator evaluator =
                scripted(() -> write("answers/key-1.json", "{\"return\": 4"), NOTHING, NOTHING, NOTHING, NOTHING);
        assertThatThrownBy(() -> evaluator.evaluate(TestRequests.ask(1)))
                .isInstanceOf(EvaluationException.class)
                .hasMessageContaining("key-1.json: the answer is not valid JSON");
        assertThat(list("requests")).isEmpty();
        assertThat(list("answers")).isEmpty();
        assertThat(list("done")).containsExactly("key-1.1.rejected.json", "key-1.request.json");

        FilesEvaluator again = scripted(() -> {
            assertThat(Files.readString(box.resolve("requests/key-1.json"))).contains("\"attempt\":2");
            put("key-1.json", "{\"return\": 4}");
        });
        assertThat(again.evaluate(TestRequests.ask(1).withAttempt(2)).total()).isEqualTo(4);
    }

    @Test
    void anErrorFileIsAFailureWithItsText() throws Exception {
        FilesEvaluator evaluator = scripted(
                () -> write("answers/key-1.error", ""),
                () -> write("answers/key-1.error", "slurmstepd: OUT OF MEMORY\n"));
        EvaluationException failure =
                catchThrowableOfType(EvaluationException.class, () -> evaluator.evaluate(TestRequests.ask(1)));
        assertThat(failure).hasMessageContaining("key-1: reports an error: slurmstepd: OUT OF MEMORY");
        assertThat(failure.retryable()).isTrue();
        assertThat(list("requests")).isEmpty();
        assertThat(list("answers")).isEmpty();
        assertThat(list("done")).containsExactly("key-1.1.error", "key-1.request.json");
    }

    @Test
    void anEmptyErrorFileIsOneToo() {
        FilesEvaluator evaluator = scripted(() -> write("answers/key-1.error", ""), NOTHING, NOTHING, NOTHING, NOTHING);
        assertThatThrownBy(() -> evaluator.evaluate(TestRequests.ask(1))).isInstanceOf(EvaluationException.class);
    }

    @Test
    void aRequestThatIsThereIsNotWrittenAgain() throws Exception {
        assertThatThrownBy(() -> scripted(NOTHING).evaluate(TestRequests.ask(1)))
                .isInstanceOf(InterruptedException.class);
        for (String name : new String[] {"key-1.json", "key-1.claimed"}) {
            if (!name.equals("key-1.json")) {
                Files.move(box.resolve("requests/key-1.json"), box.resolve("requests", name));
            }
            write("requests/" + name, "as it was");
            assertThatThrownBy(
                            () -> scripted(NOTHING).evaluate(TestRequests.ask(1).withAttempt(2)))
                    .isInstanceOf(InterruptedException.class);
            assertThat(list("requests")).containsExactly(name);
            assertThat(box.resolve("requests", name)).hasContent("as it was");
        }
    }

    @Test
    void anAnswerThatCameWhileNobodyWaitedIsTakenWithoutAsking() throws Exception {
        FilesEvaluator evaluator = scripted();
        put("key-1.json", "{\"return\": 9}");
        assertThat(evaluator.evaluate(TestRequests.ask(1)).total()).isEqualTo(9);
        assertThat(list("done")).containsExactly("key-1.answer.json");
        // The answer was taken, and the process killed before it was recorded
        assertThat(scripted().evaluate(TestRequests.ask(1)).total()).isEqualTo(9);
    }

    /** The process was killed between the two moves of a failure: the request was moved, the error was not. */
    @Test
    void aFailureThatCameWhileNobodyWaitedIsTold() throws Exception {
        FilesEvaluator evaluator = scripted();
        put("key-1.error", "no licence");
        assertThatThrownBy(() -> evaluator.evaluate(TestRequests.ask(1)))
                .isInstanceOf(EvaluationException.class)
                .hasMessageContaining("no licence");
        assertThat(list("answers")).isEmpty();
    }

    @Test
    void aFolderThatCannotBeMadeIsToldAtOnce() throws IOException {
        Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> Evaluators.open("files:" + folder.resolve("file"), settings()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("cannot write");
        assertThatThrownBy(() -> Evaluators.open("files: ", settings()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("requires a folder");
    }
}
