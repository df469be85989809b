package dev.pgkq.app.web;

import dev.pgkq.app.trace.TraceReader;
import dev.pgkq.env.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A run's {@code trace/}, limited to files inside the served folder. */
final class ServedTrace {
    private final ServedFolder folder;
    private final Path trace;
    private final TraceReader reader;

    ServedTrace(ServedFolder folder, ServedRun run) {
        this.folder = folder;
        this.trace = run.directory().path().resolve("trace");
        this.reader = TraceReader.of(run.directory().path());
    }

    Path iterationFiles() {
        return trace.resolve("iterations");
    }

    Path episodeFiles() {
        return trace.resolve("episodes");
    }

    private Path figureFile() {
        return trace.resolve("figure.json");
    }

    int[] iterations() {
        return folder.served(iterationFiles()).isPresent() ? reader.iterations() : new int[0];
    }

    int[] withEpisodes() {
        return folder.served(episodeFiles()).isPresent() ? reader.withEpisodes() : new int[0];
    }

    boolean hasFigure() {
        return folder.served(figureFile()).isPresent();
    }

    Optional<String> figure() {
        return hasFigure() ? reader.figure().map(text -> Json.checked(figureFile(), text)) : Optional.empty();
    }

    Optional<String> iteration(int iteration) {
        return isServed(iterationFiles(), iteration)
                ? reader.iteration(iteration).map(text -> Json.checked(iterationFiles(), text))
                : Optional.empty();
    }

    Optional<TraceReader.RecordedEpisode> episode(int iteration, int index) {
        return isServed(episodeFiles(), iteration) ? reader.episode(iteration, index) : Optional.empty();
    }

    boolean hasFrames(int iteration, int index) {
        return isServed(episodeFiles(), iteration) && reader.hasFrames(iteration, index);
    }

    Optional<Recording> frames(int iteration, int index) {
        return isServed(episodeFiles(), iteration) ? reader.frames(iteration, index) : Optional.empty();
    }

    /** Whether all of an iteration's files are inside the served folder. */
    private boolean isServed(Path files, int iteration) {
        if (folder.served(files).isEmpty() || !Files.isDirectory(files)) {
            return false;
        }
        String number = String.format(Locale.ROOT, "%06d", iteration);
        try (Stream<Path> all = Files.list(files)) {
            return all.filter(file -> file.getFileName().toString().startsWith(number))
                    .allMatch(file -> folder.served(file).isPresent() || !Files.exists(file));
        } catch (IOException e) {
            return false;
        }
    }
}
