package dev.pgkq.rewards.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.rewards.request.RequestJson;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The files of one request in a shared folder. They are moved in an order that makes asking again safe after a crash at any
 * moment: an answer is in {@code done/} before its request is moved, and the request of a failure is moved before the failure.
 */
final class RequestFiles {
    private static final String REQUESTS = "requests";
    private static final String ANSWERS = "answers";
    private static final String DONE = "done";
    static final List<String> FOLDERS = List.of(REQUESTS, ANSWERS, DONE);

    private final Request request;
    private final int limit;
    private final Path asked;
    private final Path claimed;
    private final Path answer;
    private final Path error;
    private final Path doneRequest;
    private final Path doneAnswer;
    private final Path doneFailure;

    RequestFiles(Path folder, Request request, int limit) {
        this.request = request;
        this.limit = limit;
        String key = request.idempotencyKey();
        asked = folder.resolve(REQUESTS, key + ".json");
        claimed = folder.resolve(REQUESTS, key + ".claimed");
        answer = folder.resolve(ANSWERS, key + ".json");
        error = folder.resolve(ANSWERS, key + ".error");
        doneRequest = folder.resolve(DONE, key + ".request.json");
        doneAnswer = folder.resolve(DONE, key + ".answer.json");
        doneFailure = folder.resolve(DONE, key + "." + request.attempt());
    }

    /** The state of the request. */
    sealed interface Found {}

    /** No answer yet. */
    record Nothing() implements Found {}

    /** A valid answer. */
    record Answered(Reply answer) implements Found {}

    /**
     * An error reported by whoever processed the request.
     *
     * @param failure its message is what was reported
     */
    record Failed(EvaluationException failure) implements Found {}

    /**
     * An answer or error file that is incomplete or invalid.
     *
     * @param version changes whenever the file changes
     * @param cost of the evaluation, if it is stated
     */
    record Unreadable(String why, String version, OptionalDouble cost) implements Found {}

    /** An answer that was taken before, perhaps by a process that ended before it could record it. */
    private Optional<Reply> formerAnswer() {
        try {
            Reply former = read(doneAnswer);
            finishRequest();
            return Optional.of(former);
        } catch (IOException | EvaluationException e) {
            return Optional.empty(); // there is none, or it has been damaged since
        }
    }

    /** Checks for an answer or an error. A valid answer is moved to {@code done/}, with its request. */
    Found take() {
        Optional<Reply> former = formerAnswer();
        if (former.isPresent()) {
            return new Answered(former.get());
        }
        Optional<Found> unreadable = Optional.empty();
        try {
            Reply found = read(answer);
            move(answer, doneAnswer);
            finishRequest();
            return new Answered(found);
        } catch (NoSuchFileException e) {
            // Not yet.
        } catch (IOException e) {
            unreadable = Optional.of(new Unreadable(
                    "it cannot be read (" + e.getMessage() + ")", version(answer), OptionalDouble.empty()));
        } catch (EvaluationException e) {
            if (!e.isAgainstContract()) {
                return new Failed(e);
            }
            unreadable = Optional.of(new Unreadable(e.getMessage(), version(answer), e.cost()));
        }
        try {
            byte[] text = bytes(error);
            String why = new String(text, UTF_8);
            // An empty file may be about to be written.
            return why.isBlank()
                    ? unreadable.orElse(new Unreadable("an empty error file", version(error), OptionalDouble.empty()))
                    : new Failed(EvaluationException.temporary("reports an error: " + Excerpt.last(why))
                            .withCost(ErrorAnswer.cost(text))
                            .againstContract());
        } catch (IOException e) {
            return unreadable.orElse(new Nothing());
        }
    }

    /**
     * Writes the request unless it already exists.
     *
     * @throws UserException if it cannot be written; nobody was asked, so this does not count as a failed attempt
     */
    void ask(String run) throws InterruptedException {
        if (Files.exists(asked) || Files.exists(claimed)) {
            return;
        }
        try {
            WholeFile.replace(asked, RequestJson.write(run, request));
        } catch (UserException e) {
            Interruption.check();
            throw e;
        }
    }

    private void finishRequest() {
        move(asked, doneRequest);
        move(claimed, doneRequest);
    }

    /** Moves a failure and its request to {@code done/}, so that the next attempt writes a new request. */
    void reject() {
        finishRequest();
        move(answer, doneFailure.resolveSibling(doneFailure.getFileName() + ".rejected.json"));
        move(error, doneFailure.resolveSibling(doneFailure.getFileName() + ".error"));
    }

    private Reply read(Path file) throws IOException, EvaluationException {
        byte[] bytes = bytes(file);
        if (bytes.length > limit) {
            throw AnswerReader.tooLong(limit);
        }
        return AnswerReader.read(bytes, request.episode().length());
    }

    private byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(Math.addExact(limit, 1));
        }
    }

    private static String version(Path file) {
        try {
            return Files.size(file) + " " + Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return "none";
        }
    }

    /** A file that cannot be moved stays, and is found again with the same result. */
    private static void move(Path from, Path to) {
        try {
            if (Files.exists(from)) {
                Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            // See above.
        }
    }
}
