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

/** Finds the run directories under some folders and reads them. Reports runs that cannot be read and continues. */
public final class RunFinder {
    private RunFinder() {}

    /** The runs found, and those excluded because they could not be read. */
    public record Found(List<StudyRun> runs, List<ExcludedRun> excluded) {}

    /**
     * Reads every run under the folders.
     *
     * @param onRun receives the name of each run before it is read
     * @throws UserException if there are no runs
     */
    public static Found find(List<Path> roots, Consumer<String> onRun) {
        Map<Path, String> folders = new LinkedHashMap<>();
        for (Path root : roots) {
            folders(root).forEach(folder -> folders.putIfAbsent(folder, name(root, folder, roots.size() > 1)));
        }
        if (folders.isEmpty()) {
            throw new UserException("no runs under " + String.join(", ", texts(roots))
                    + ": a run is a folder with config.yaml and metrics.csv, as written by 'pgkq train'");
        }
        List<StudyRun> runs = new ArrayList<>();
        List<ExcludedRun> excluded = new ArrayList<>();
        folders.forEach((folder, name) -> {
            onRun.accept(name);
            read(new RunDirectory(folder), name, runs, excluded);
        });
        return new Found(runs, excluded);
    }

    private static void read(RunDirectory directory, String name, List<StudyRun> runs, List<ExcludedRun> excluded) {
        try {
            RunHistory history = RunHistory.read(directory.events());
            if (!Files.exists(directory.metrics())) {
                excluded.add(new ExcludedRun(name, "no metrics.csv; " + history.words()));
                return;
            }
            RunConfig config = RunConfig.of(ConfigFile.read(directory.config()));
            StudyRun run = StudyRun.of(name, config, Metrics.read(directory.metrics()), history);
            if (run.iterations() == 0) {
                excluded.add(new ExcludedRun(name, "no iteration yet; " + history.words()));
            } else {
                runs.add(run);
            }
        } catch (UserException e) {
            // the run's name is already in the report, which must not contain absolute paths
            String why = String.valueOf(e.getMessage()).replace(directory.path() + "/", "");
            excluded.add(new ExcludedRun(name, "cannot be read: " + why));
        }
    }

    private static List<Path> folders(Path root) {
        if (!Files.isDirectory(root)) {
            throw new UserException(root + (Files.exists(root) ? " is not a folder" : " does not exist")
                    + "; specify folders that contain runs, for example runs");
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
                    return FileVisitResult.CONTINUE; // unreadable folders are skipped
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
