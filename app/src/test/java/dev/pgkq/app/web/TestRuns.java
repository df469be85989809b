package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Run directories for tests: copies of one trained run. */
final class TestRuns {
    static final int ITERATIONS = 4;
    private static Path trained = Path.of("");

    private TestRuns() {}

    /** A finished run of {@link #ITERATIONS} iterations, without its trace. */
    static Path copyTo(Path folder) throws IOException {
        Path from = trained();
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) throws IOException {
                if (path.endsWith("trace")) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(folder.resolve(from.relativize(path)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                Files.copy(path, folder.resolve(from.relativize(path)));
                return FileVisitResult.CONTINUE;
            }
        });
        return folder;
    }

    private static synchronized Path trained() throws IOException {
        if (trained.toString().isEmpty()) {
            Path folder = Files.createTempDirectory("pgkq-trained");
            Path run = folder.resolve("run");
            Tool.Result result = train(run, ITERATIONS);
            assertThat(result.exitCode()).as(result.err()).isZero();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            trained = run;
        }
        return trained;
    }

    static Tool.Result train(Path run, int iterations, String... more) {
        List<String> args = List.of(
                "train",
                "--env",
                "Pendulum-v1",
                "--batch",
                "4",
                "--select",
                "2",
                "--iterations",
                Integer.toString(iterations),
                "--threads",
                "1",
                "--out",
                run.toString());
        return Tool.run(Stream.concat(args.stream(), List.of(more).stream()).toArray(String[]::new));
    }

    /** Appends rows to a run's metrics as training does, with consecutive numbers. */
    static void addRows(Path run, int count) throws IOException {
        Path file = run.resolve("metrics.csv");
        List<String> lines = Files.readAllLines(file);
        int columns = lines.getFirst().split(",", -1).length;
        String rows = IntStream.range(lines.size(), lines.size() + count)
                .mapToObj(i -> i + "," + 100 * i + ".25" + ",".repeat(columns - 2) + "\n")
                .collect(Collectors.joining());
        Files.writeString(file, rows, StandardOpenOption.APPEND);
    }

    private static void delete(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path path, IOException e) throws IOException {
                    Files.delete(path);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            // the system cleans up its temporary folder
        }
    }
}
