package dev.pgkq.rewards.advise;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.rewards.files.SnapshotFile;
import dev.pgkq.state.Snapshot;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the models had learned after some lesson, as {@code checkpoint/JUDGE-000000012.safetensors}. They only save time: a model can
 * be made again from the lessons alone. So one that is damaged is passed over.
 */
final class ModelCheckpoints {
    private static final int KEPT = 2;
    private static final String FORMAT = "pgkq_adviser";
    private static final String VERSION = "1";
    private static final String LESSON = "lesson";
    private static final String JUDGE = "judge";
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{16}-(\\d{1,18})\\.safetensors");

    private final Path folder;

    /** @param folder need not exist yet */
    ModelCheckpoints(Path folder) {
        this.folder = folder;
    }

    /**
     * What a model had learned.
     *
     * @param lesson number of the last lesson; 0 if it only knows the units of features
     */
    record Saved(long lesson, Snapshot snapshot) {}

    /** @throws UserException if it cannot be written */
    void save(String judge, Saved saved) {
        Path file = folder.resolve(prefix(judge) + String.format(Locale.ROOT, "%09d", saved.lesson()) + ".safetensors");
        Map<String, String> metadata = SnapshotFile.metadata(
                saved.snapshot(), Map.of(FORMAT, VERSION, LESSON, Long.toString(saved.lesson()), JUDGE, judge));
        Safetensors.write(file, saved.snapshot().tensors(), metadata);
        List<Path> all = newestFirst(judge);
        all.subList(Math.min(KEPT, all.size()), all.size()).forEach(ModelCheckpoints::delete);
    }

    /**
     * The newest state of a judge's model that can be used.
     *
     * @param last the last lesson there is; a state that is ahead of it belongs to other lessons
     * @param restores whether a state can be restored
     * @param warnings receives a message for each that was passed over
     */
    Optional<Saved> newest(String judge, long last, Predicate<Snapshot> restores, Warnings warnings) {
        for (Path file : newestFirst(judge)) {
            try {
                Saved saved = read(file, judge);
                if (saved.lesson() <= last && restores.test(saved.snapshot())) {
                    return Optional.of(saved);
                }
                warnings.add(file + " does not belong to what was learned and is not used");
            } catch (UserException e) {
                warnings.add(e.getMessage() + ". It is not used; what was learned is computed again");
            }
        }
        return Optional.empty();
    }

    /** Receives warnings. */
    @FunctionalInterface
    interface Warnings {
        void add(String message);
    }

    private static Saved read(Path file, String judge) {
        Safetensors.Contents contents = Safetensors.read(file);
        Map<String, String> metadata = contents.metadata();
        if (!SnapshotFile.isIntact(contents)) {
            throw new UserException(file + ": the checksum does not match the contents");
        }
        if (!VERSION.equals(metadata.get(FORMAT)) || !judge.equals(metadata.get(JUDGE))) {
            throw new UserException(file + ": it is not a checkpoint of this judge's model");
        }
        try {
            long lesson = Long.parseLong(metadata.getOrDefault(LESSON, ""));
            return new Saved(lesson, SnapshotFile.snapshot(contents, Set.of(FORMAT, LESSON, JUDGE)));
        } catch (NumberFormatException e) {
            throw new UserException(file + ": the number of its lesson is missing", e);
        }
    }

    /** Names of judges may have any characters. */
    private static String prefix(String judge) {
        return HexFormat.of().formatHex(ItemNames.sha256().digest(judge.getBytes(UTF_8)), 0, 8) + "-";
    }

    private List<Path> newestFirst(String judge) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        String prefix = prefix(judge);
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix) && lesson(file) >= 0)
                    .sorted(Comparator.comparingLong(ModelCheckpoints::lesson).reversed())
                    .toList();
        } catch (IOException e) {
            throw FileErrors.reading(folder, e);
        }
    }

    private static long lesson(Path file) {
        Matcher matcher = NAME.matcher(file.getFileName().toString());
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // it is passed over
        }
    }
}
