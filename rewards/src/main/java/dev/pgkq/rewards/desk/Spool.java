package dev.pgkq.rewards.desk;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.rewards.ledger.LedgerAnswer;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.oracle.AnswerReader;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.oracle.Reply;
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
 * Answers that were paid for and that the ledger did not take, each in a file {@code KEY.json}, as an oracle answers: in the
 * run directory, or, since its disk may be the one that is full, in a folder of the system's temporary one. That has the run's name
 * and is looked for again only if it belongs to whom the run directory belongs to: others may write there, too.
 */
final class Spool {
    private static final String TEMPORARY = "pgkq-answers-";
    private static final JsonMapper JSON = new JsonMapper();

    private final Path own;
    private final Path temporary;
    private final String prefix;
    private @Nullable Path made;

    /**
     * @param own a folder of the run
     * @param temporary where others have theirs, too
     * @param run tells the run from all others
     */
    Spool(Path own, Path temporary, String run) {
        this.own = own;
        this.temporary = temporary;
        this.prefix = TEMPORARY + run + "-";
    }

    /**
     * Keeps an answer.
     *
     * @return where
     * @throws UserException if no place takes it
     */
    synchronized Path put(LedgerKey key, LedgerAnswer answer) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(
                answer.grain() == Grain.STEP ? "rewards" : "return",
                answer.grain() == Grain.STEP ? answer.values() : answer.values()[0]);
        fields.put("cost", answer.cost());
        byte[] json = (JSON.writeValueAsString(fields) + "\n").getBytes(UTF_8);
        try {
            return put(own, key, json);
        } catch (UserException e) {
            removeIfEmpty(own);
            return put(made(), key, json);
        }
    }

    private static Path put(Path folder, LedgerKey key, byte[] json) {
        Path file = file(folder, key);
        WholeFile.replace(file, json);
        return file;
    }

    private Path made() {
        if (made == null) {
            try {
                made = Files.createTempDirectory(temporary, prefix);
            } catch (IOException e) {
                throw FileErrors.writing(temporary, e);
            }
        }
        return made;
    }

    private static Path file(Path folder, LedgerKey key) {
        return folder.resolve(key + ".json");
    }

    /** The folders that there are. */
    List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        if (Files.isDirectory(own)) {
            folders.add(own);
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(temporary, prefix + "*")) {
            found.forEach(folder -> {
                if (isOurs(folder)) {
                    folders.add(folder);
                }
            });
        } catch (IOException | DirectoryIteratorException e) {
            // Where nothing can be found nothing was put.
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

    /** Where an answer is, of these folders. */
    static Optional<Path> find(LedgerKey key, List<Path> folders) {
        return folders.stream()
                .map(folder -> file(folder, key))
                .filter(Files::exists)
                .findFirst();
    }

    /**
     * @param steps length of the episode
     * @param cost if the file does not say
     */
    static LedgerAnswer read(Path file, int steps, double cost) {
        try {
            Reply reply = AnswerReader.read(Files.readAllBytes(file), steps);
            return new LedgerAnswer(reply.grain(), reply.values(), reply.cost().orElse(cost));
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        } catch (EvaluationException e) {
            throw new UserException(
                    file + " should hold an answer that was paid for: " + e.getMessage()
                            + ". Mend it; or remove it, and it will be asked for again",
                    e);
        }
    }

    /** Removes an answer that is safe elsewhere, and its folder with the last one. */
    static void remove(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            // It stays, and its answer is known.
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
            // There is more in it.
        }
    }
}
