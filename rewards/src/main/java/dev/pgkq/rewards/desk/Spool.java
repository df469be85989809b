package dev.pgkq.rewards.desk;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.files.BoundedFile;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.oracle.AnswerReader;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers that were paid for but could not be written to the ledger, each in a file {@code KEY.json} in the format of an
 * evaluator's answer. They are stored in the run directory or, because its disk may be the full one, in a folder of the system's
 * temporary directory. That folder has the run's name, and is read only if it has the same owner as the run directory, because
 * other users may write there, too.
 */
final class Spool {
    private static final String TEMPORARY = "pgkq-answers-";
    private static final JsonMapper JSON = new JsonMapper();
    private static final int MAX_BYTES = 256 << 20;

    private final Path own;
    private final Path temporary;
    private final String prefix;
    private @Nullable Path temporaryFolder;

    /**
     * @param own folder in the run directory
     * @param temporary the system's temporary directory
     * @param run unique name of the run
     */
    Spool(Path own, Path temporary, String run) {
        this.own = own;
        this.temporary = temporary;
        this.prefix = TEMPORARY + run + "-";
    }

    /**
     * Writes an answer to a file.
     *
     * @return the file
     * @throws UserException if it can be written to neither folder
     */
    synchronized Path put(LedgerKey key, Reply answer) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(
                answer.grain() == Grain.STEP ? "rewards" : "return",
                answer.grain() == Grain.STEP ? answer.values() : answer.values()[0]);
        answer.cost().ifPresent(cost -> fields.put("cost", cost));
        byte[] json = (JSON.writeValueAsString(fields) + "\n").getBytes(UTF_8);
        try {
            return put(own, key, json);
        } catch (UserException e) {
            removeIfEmpty(own);
            return put(temporaryFolder(), key, json);
        }
    }

    private static Path put(Path folder, LedgerKey key, byte[] json) {
        Path file = file(folder, key);
        WholeFile.replace(file, json);
        return file;
    }

    private Path temporaryFolder() {
        if (temporaryFolder == null) {
            try {
                temporaryFolder = Files.createTempDirectory(temporary, prefix);
            } catch (IOException e) {
                throw FileErrors.writing(temporary, e);
            }
        }
        return temporaryFolder;
    }

    private static Path file(Path folder, LedgerKey key) {
        return folder.resolve(key + ".json");
    }

    /** The folders in which this process has written answers, for messages. */
    synchronized String written() {
        return Files.isDirectory(own)
                ? own + (temporaryFolder == null ? "" : " and " + temporaryFolder)
                : String.valueOf(temporaryFolder);
    }

    /** The existing spool folders of this run. */
    List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        if (Files.isDirectory(own)) {
            folders.add(own);
        }
        // not a glob: names of runs may contain its special characters
        try (DirectoryStream<Path> found = Files.newDirectoryStream(
                temporary, folder -> String.valueOf(folder.getFileName()).startsWith(prefix))) {
            found.forEach(folder -> {
                if (isOurs(folder)) {
                    folders.add(folder);
                }
            });
        } catch (IOException | DirectoryIteratorException e) {
            // Without a readable temporary directory there is no folder in it.
        }
        return folders;
    }

    private boolean isOurs(Path folder) {
        Path run = own.toAbsolutePath().getParent();
        try {
            return run != null && Files.getOwner(folder).equals(Files.getOwner(run));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** The file of an answer in one of these folders. */
    static Optional<Path> find(LedgerKey key, List<Path> folders) {
        return folders.stream()
                .map(folder -> file(folder, key))
                .filter(Files::exists)
                .findFirst();
    }

    /**
     * Reads an answer.
     *
     * @param steps length of the episode
     * @param cost cost of the answer if the file does not state one
     * @throws UserException if the file cannot be read, or is not an answer for such an episode
     */
    static Reply read(Path file, int steps, double cost) {
        try {
            Reply reply = AnswerReader.read(BoundedFile.bytes(file, MAX_BYTES), steps);
            return reply.withCost(reply.cost().orElse(cost));
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        } catch (EvaluationException e) {
            throw new UserException(
                    file + " should contain an answer that was paid for: " + e.getMessage()
                            + ". Fix the file, or remove it to have the reward evaluated again",
                    e);
        }
    }

    /** Removes the file of a recorded answer, and the folder if it is empty then. */
    static void remove(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            // It stays; its answer is recorded.
        }
        Path folder = file.getParent();
        if (folder != null) {
            removeIfEmpty(folder);
        }
    }

    private static void removeIfEmpty(Path folder) {
        try {
            Files.delete(folder);
        } catch (IOException e) {
            // It is not empty.
        }
    }
}
