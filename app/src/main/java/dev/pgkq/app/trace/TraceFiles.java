package dev.pgkq.app.trace;

import dev.pgkq.rewards.files.FileErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a trace folder: {@code figure.json}, {@code iterations/000012.json}, and, for each iteration whose episodes are
 * kept, {@code episodes/000012.safetensors}, pictures of some in {@code episodes/000012.frames.zip}, and, once they are paid
 * for, {@code episodes/000012.rewards.safetensors}.
 */
record TraceFiles(Path folder) {
    private static final Pattern NAME = Pattern.compile("(\\d{6,9})\\.(json|safetensors)");

    Path figure() {
        return folder.resolve("figure.json");
    }

    Path iterations() {
        return folder.resolve("iterations");
    }

    Path iteration(int iteration) {
        return iterations().resolve(number(iteration) + ".json");
    }

    Path episodes() {
        return folder.resolve("episodes");
    }

    Path states(int iteration) {
        return episodes().resolve(number(iteration) + ".safetensors");
    }

    Path rewards(int iteration) {
        return episodes().resolve(number(iteration) + ".rewards.safetensors");
    }

    Path frames(int iteration) {
        return episodes().resolve(number(iteration) + ".frames.zip");
    }

    private static String number(int iteration) {
        return String.format(Locale.ROOT, "%06d", iteration);
    }

    /** The iterations that have a file in a folder, in order; none if there is no folder. */
    static int[] in(Path folder) {
        if (!Files.isDirectory(folder)) {
            return new int[0]; // listing a pipe would wait for its other end
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> NAME.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .mapToInt(name -> Integer.parseInt(name.group(1)))
                    .sorted()
                    .toArray();
        } catch (NoSuchFileException e) {
            return new int[0];
        } catch (IOException e) {
            throw FileErrors.reading(folder, e);
        }
    }

    /** Deletes the episodes of an iteration. */
    void deleteEpisodes(int iteration) {
        // last those that show that there are others
        delete(frames(iteration));
        delete(rewards(iteration));
        delete(states(iteration));
    }

    /** Deletes all files of later iterations. */
    void deleteAfter(int iteration) {
        Arrays.stream(in(iterations())).filter(k -> k > iteration).forEach(k -> delete(iteration(k)));
        Arrays.stream(in(episodes())).filter(k -> k > iteration).forEach(this::deleteEpisodes);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }
}
