package dev.pgkq.app.study;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.run.RunHistory;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Finds the run directories under some folders and reads them. One that cannot be read is named, not fatal. */
public final class RunFinder {
    private RunFinder() {}

    /** What was found: runs, and those that could not be read. */
    public record Found(List<StudyRun> runs, List<LeftOut> leftOut) {}

    /**
     * Reads every run under the folders.
     *
     * @param watcher is told the name of each run before it is read
     */
    public static Found find(List<Path> roots, Consumer<String> watcher) {
        Map<Path, String> folders = new LinkedHashMap<>();
        for (Path root : roots) {
            folders(root).forEach(folder -> folders.putIfAbsent(folder, name(root, folder, roots.size() > 1)));
        }
        if (folders.isEmpty()) {
            throw new UserException("no runs under " + String.join(", ", texts(roots))
                    + ": a run is a folder with config.yaml and metrics.csv, as 'pgkq train' writes it");
        }
        List<StudyRun> runs = new ArrayList<>();
        List<LeftOut> leftOut = new ArrayList<>();
        folders.forEach((folder, name) -> {
            watcher.accept(name);
            read(new RunDirectory(folder), name, runs, leftOut);
        });
        return new Found(runs, leftOut);
    }

    private static void read(RunDirectory directory, String name, List<StudyRun> runs, List<LeftOut> leftOut) {
        RunHistory story = RunHistory.read(directory.events());
        if (!Files.exists(directory.metrics())) {
            leftOut.add(new LeftOut(name, "no metrics.csv; " + story.words()));
            return;
        }
        try {
            RunConfig config = RunConfig.of(ConfigFile.read(directory.config()));
            StudyRun run = StudyRun.of(name, config, Metrics.read(directory.metrics()), story);
            if (run.iterations() == 0) {
                leftOut.add(new LeftOut(name, "no iteration yet; " + story.words()));
            } else {
                runs.add(run);
            }
        } catch (UserException e) {
            // The folder's name stands beside it, and a report should not tell where it was made.
            String why = String.valueOf(e.getMessage()).replace(directory.path() + "/", "");
            leftOut.add(new LeftOut(name, "cannot be read: " + why));
        }
    }

    private static List<Path> folders(Path root) {
        if (!Files.isDirectory(root)) {
            throw new UserException(root + (Files.exists(root) ? " is not a folder" : " does not exist")
                    + "; give folders that hold runs, for example runs");
        }
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(root.toRealPath(), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    if (!new RunDirectory(folder).holdsRun()) {
                        return FileVisitResult.CONTINUE;
                    }
                    found.add(folder);
                    return FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE; // what may not be read holds no run of ours
                }
            });
        } catch (IOException e) {
            throw FileErrors.reading(root, e);
        }
        return found.stream().sorted().toList();
    }

    private static String name(Path root, Path folder, boolean withRoot) {
        try {
            Path real = root.toRealPath();
            String inside = real.relativize(folder).toString();
            String top = String.valueOf(real.getFileName());
            return inside.isEmpty() ? top : withRoot ? top + "/" + inside : inside;
        } catch (IOException e) {
            throw FileErrors.reading(root, e);
        }
    }

    private static List<String> texts(List<Path> paths) {
        return paths.stream().map(Path::toString).toList();
    }
}
