package dev.pgkq.mujoco;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs command-line tools of the system. */
final class Command {
    private static final long MINUTES = 5;

    private Command() {}

    /** Returns whether a tool is on the PATH. */
    static boolean exists(String tool) {
        String path = System.getenv("PATH");
        return path != null
                && Arrays.stream(path.split(File.pathSeparator, -1))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }

    /**
     * Runs a command and returns its output.
     *
     * @throws IOException if it fails; the message has its error output
     */
    static String run(Path folder, List<String> command) throws IOException {
        Result result = execute(folder, command);
        if (!result.succeeded()) {
            throw new IOException(
                    command.getFirst() + " failed: " + result.errors().strip());
        }
        return result.output();
    }

    /** The exit code and the output of a command. */
    record Result(int exitCode, String output, String errors) {
        boolean succeeded() {
            return exitCode == 0;
        }
    }

    /** Runs a command in a folder, with a time limit. */
    static Result execute(Path folder, List<String> command) throws IOException {
        Path output = Files.createTempFile(folder, "output", "");
        Path errors = Files.createTempFile(folder, "errors", "");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        try {
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                throw new IOException(command.getFirst() + " did not end within " + MINUTES + " minutes");
            }
            return new Result(process.exitValue(), text(output), text(errors));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(command.getFirst() + " was interrupted", e);
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(output);
            Files.deleteIfExists(errors);
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
