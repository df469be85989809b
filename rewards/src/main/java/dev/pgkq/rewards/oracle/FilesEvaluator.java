package dev.pgkq.rewards.oracle;

import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalDouble;

/**
 * Exchanges requests and answers with jobs through a folder: {@code requests/KEY.json} is answered by {@code answers/KEY.json}, or
 * by {@code answers/KEY.error} with an error message; both then move to {@code done/}.
 *
 * <p>Nothing is requested twice, even if this process is killed: an existing request is not written again, an answer that arrived
 * in the meantime is taken, and an answer that was taken before is found in {@code done/}. A cancelled evaluation leaves its
 * request, because the job may continue; asking again waits for the same job.
 *
 * <p>The folder is polled, because cluster file systems do not report changes by other machines.
 */
final class FilesEvaluator implements Evaluator {
    static final String PREFIX = "files:";

    private final String text;
    private final Path folder;
    private final EvaluatorSettings settings;
    private final Time time;
    private volatile boolean closed;

    /**
     * @throws UserException if the folders cannot be created
     */
    FilesEvaluator(String text, EvaluatorSettings settings, Time time) {
        this.text = text.strip();
        this.settings = settings;
        this.time = time;
        try {
            if (this.text.isEmpty()) {
                throw new UserException("files: requires a folder, such as files:/shared/rewards");
            }
            folder = Path.of(this.text).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new UserException("files: requires a folder, but '" + this.text + "' is not a valid path", e);
        }
        for (String part : RequestFiles.FOLDERS) {
            try {
                Files.createDirectories(folder.resolve(part));
            } catch (IOException e) {
                throw FileErrors.writing(folder.resolve(part), e);
            }
        }
    }

    @Override
    public String identity() {
        return PREFIX + text;
    }

    @Override
    public Reply evaluate(Request request) throws EvaluationException, InterruptedException {
        Interruption.check();
        RequestFiles files = new RequestFiles(folder, request, settings.limits().bytes());
        UnchangedTime unchanged = new UnchangedTime();
        boolean asked = false;
        while (true) {
            switch (files.take()) {
                case RequestFiles.Answered(Reply answer) -> {
                    return answer;
                }
                case RequestFiles.Failed(EvaluationException failure) -> {
                    files.reject();
                    throw failure.withMessage(
                            identity() + ", " + request.idempotencyKey() + ": " + failure.getMessage());
                }
                case RequestFiles.Unreadable(String why, String version, OptionalDouble cost) -> {
                    if (unchanged.exceedsGrace(version)) {
                        files.reject();
                        throw EvaluationException.temporary(identity() + " has an invalid answer, "
                                        + request.idempotencyKey() + ".json: " + why + "; it has been moved to done/")
                                .withCost(cost)
                                .againstContract();
                    }
                }
                case RequestFiles.Nothing() -> {
                    if (!asked) {
                        files.ask(settings.run());
                        asked = true;
                    }
                }
            }
            if (closed) {
                throw new InterruptedException("closed");
            }
            time.sleep(settings.polling().interval());
        }
    }

    /** How long an invalid answer has been unchanged. One that still changes is being written. */
    private final class UnchangedTime {
        private String version = "";
        private long since;

        boolean exceedsGrace(String now) {
            if (!now.equals(version)) {
                version = now;
                since = time.nanos();
                return false;
            }
            Duration lasted = Duration.ofNanos(time.nanos() - since);
            return lasted.compareTo(settings.polling().grace()) >= 0;
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
