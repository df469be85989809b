package dev.pgkq.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A C program from the resources, compiled and running in its own process, where it waits for rounds. */
final class CProgram implements AutoCloseable {
    private final Path folder;
    private final Path program;
    private @Nullable RoundProcess running;

    /** Thrown if the machine cannot run the program; the message says why. */
    static final class Unavailable extends Exception {
        private static final long serialVersionUID = 1L;

        Unavailable(String why) {
            super(why);
        }
    }

    /**
     * The measurements of a round.
     *
     * @param wallSeconds wall-clock time
     * @param cpuSeconds CPU time of the thread
     * @param sum of the results, for comparison
     */
    record Round(double wallSeconds, double cpuSeconds, double sum) {}

    /** Compiles {@code name.c} with these flags; libraries come last on the command line, as linkers require. */
    CProgram(String name, List<String> flags, List<String> libraries) throws Unavailable {
        try {
            folder = Scratch.folder();
            program = folder.resolve(name);
            Path source = copy(name + ".c", CProgram.class);
            List<String> command = new ArrayList<>(List.of("cc"));
            command.addAll(flags);
            command.addAll(List.of("-o", program.toString(), source.toString()));
            command.addAll(libraries);
            compile(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void compile(List<String> command) throws IOException, Unavailable {
        Process compiler;
        try {
            compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            Scratch.remove(folder);
            throw new Unavailable("no C compiler (install gcc)");
        }
        String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (await(compiler) != 0) {
            throw new IOException("cc failed: " + output);
        }
    }

    /** The path of a file for the program, which is deleted when the program is closed. */
    Path file(String name) {
        return folder.resolve(name);
    }

    Path copy(String resource, Class<?> owner) throws IOException {
        try (InputStream in = owner.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("missing resource " + resource);
            }
            Path file = file(resource);
            Files.copy(in, file);
            return file;
        }
    }

    void start(Map<String, String> environment, Object... arguments) throws IOException {
        List<String> command = Stream.concat(Stream.of(program), Stream.of(arguments))
                .map(Object::toString)
                .toList();
        running = new RoundProcess(String.valueOf(program.getFileName()), command, environment);
    }

    /** The next line of the program's output. */
    String line() {
        return running().line();
    }

    Round round() {
        running().go();
        String[] parts = line().split(" ", -1);
        return new Round(
                Long.parseLong(parts[0]) * 1e-9, Long.parseLong(parts[1]) * 1e-9, Double.parseDouble(parts[2]));
    }

    private RoundProcess running() {
        if (running == null) {
            throw new IllegalStateException(program.getFileName() + " is not running");
        }
        return running;
    }

    private static int await(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            if (running != null) {
                running.close();
            }
            Scratch.remove(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
