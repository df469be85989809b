package dev.pgkq.rewards.oracle;

import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A folder that requests are put into and answers taken out of, for schedulers of jobs: {@code requests/KEY.json} is answered
 * by {@code answers/KEY.json}, or by {@code answers/KEY.error} with a text; both then move to {@code done/}.
 *
 * <p>Nothing is asked twice, whenever this process was killed: a request that is there already is not written again, an
 * answer that came in the meantime is taken, and one that was taken stays in {@code done/} and is found there. A cancelled
 * evaluation leaves its request, as the job may go on; asking again waits for the same job.
 *
 * <p>The folder is looked at again and again, since the file systems of clusters do not tell what other machines change.
 */
final class FilesEvaluator implements Evaluator {
    static final String PREFIX = "files:";

    private final String text;
    private final Path folder;
    private final EvaluatorSettings settings;
    private final Time time;
    private volatile boolean closed;

    /**
     * @throws UserException if the folders cannot be made
     */
    FilesEvaluator(String text, EvaluatorSettings settings, Time time) {
        this.text = text.strip();
        this.settings = settings;
        this.time = time;
        try {
            if (this.text.isEmpty()) {
                throw new UserException("files: needs a folder, such as files:/shared/rewards");
            }
            folder = Path.of(this.text).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new UserException("files: needs a folder, and '" + this.text + "' is no name of one", e);
        }
        for (String part : DropBox.FOLDERS) {
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
        Cancelled.ifInterrupted();
        DropBox box = new DropBox(folder, request, settings.limits().bytes());
        Patch patch = new Patch();
        boolean asked = false;
        while (true) {
            switch (box.take()) {
                case DropBox.Answered(Reply answer) -> {
                    return answer;
                }
                case DropBox.Failed(String why) -> {
                    box.reject();
                    throw EvaluationException.passing(identity() + " has an error for " + request.idempotencyKey()
                            + (why.isEmpty() ? ", without a text" : ": " + Excerpt.last(why)));
                }
                case DropBox.Unreadable(String why, String version) -> {
                    if (patch.hasLasted(version)) {
                        box.reject();
                        throw EvaluationException.passing(identity() + " has an answer that cannot be used, "
                                + request.idempotencyKey() + ".json: " + why + "; it is in done/ now");
                    }
                }
                case DropBox.Nothing() -> {
                    if (!asked) {
                        box.ask(settings.run());
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

    /** How long an unreadable answer has been the same: one that still changes is being written. */
    private final class Patch {
        private String version = "";
        private long since;

        boolean hasLasted(String now) {
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
