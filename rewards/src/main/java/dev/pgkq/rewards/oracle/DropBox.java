package dev.pgkq.rewards.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.rewards.request.RequestJson;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * The files of one request. Their order of moving is such that a crash at any moment leaves a state from which asking again
 * goes right: an answer is in {@code done/} before its request leaves, and the request of a failure has left before the
 * failure does.
 */
final class DropBox {
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

    DropBox(Path folder, Request request, int limit) {
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

    /** What there is. */
    sealed interface Found {}

    record Nothing() implements Found {}

    record Answered(Reply answer) implements Found {}

    record Failed(String why) implements Found {}

    /**
     * An answer or an error that is half written, or wrong.
     *
     * @param version changes when it does
     */
    record Unreadable(String why, String version) implements Found {}

    /** An answer that was taken before, by somebody who may not have got as far as remembering it. */
    private Optional<Reply> formerAnswer() {
        try {
            Reply former = read(doneAnswer);
            finishRequest();
            return Optional.of(former);
        } catch (IOException | EvaluationException e) {
            return Optional.empty(); // there is none, or it was damaged since
        }
    }

    /** Looks what there is. An answer is taken: it and its request are out of the way then. */
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
            unreadable = Optional.of(new Unreadable("it cannot be read (" + e.getMessage() + ")", version(answer)));
        } catch (EvaluationException e) {
            unreadable = Optional.of(new Unreadable(e.getMessage(), version(answer)));
        }
        try {
            String why = new String(bytes(error), UTF_8);
            // An empty one may be about to be written.
            return why.isBlank()
                    ? unreadable.orElse(new Unreadable("an error without a text", version(error)))
                    : new Failed(why);
        } catch (IOException e) {
            return unreadable.orElse(new Nothing());
        }
    }

    /**
     * Writes the request, unless it is there.
     *
     * @throws UserException if that cannot be: nobody was asked, so that it is no failure of those who answer
     */
    void ask(String run) throws InterruptedException {
        if (Files.exists(asked) || Files.exists(claimed)) {
            return;
        }
        try {
            WholeFile.replace(asked, RequestJson.write(run, request));
        } catch (UserException e) {
            Cancelled.ifInterrupted();
            throw e;
        }
    }

    private void finishRequest() {
        move(asked, doneRequest);
        move(claimed, doneRequest);
    }

    /** Puts a failure and its request out of the way, so that asking again is a new request. */
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

    /** What cannot be moved stays; it is found and read again, with the same result. */
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
