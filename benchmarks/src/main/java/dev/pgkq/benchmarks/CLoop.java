package dev.pgkq.benchmarks;

import dev.pgkq.mujoco.Mujoco;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** {@code hopper_loop.c}, compiled and running in a process of its own, waiting for rounds. */
final class CLoop implements AutoCloseable {
    private final Path folder;
    private final Process process;
    private final Writer orders;
    private final BufferedReader answers;

    /** The machine has nothing that compiles C. */
    static final class NoCompiler extends Exception {
        private static final long serialVersionUID = 1L;

        NoCompiler() {
            super("no C compiler (install gcc)");
        }
    }

    /**
     * What a round took.
     *
     * @param wallSeconds by the clock on the wall
     * @param cpuSeconds of the thread
     * @param sum final positions, to compare
     */
    record Round(double wallSeconds, double cpuSeconds, double sum) {}

    CLoop(HopperEpisodes episodes) throws NoCompiler {
        try {
            folder = Scratch.folder();
            Path program = compile(folder);
            Path model = copy("hopper.xml", Mujoco.class);
            Path script = folder.resolve("episodes");
            episodes.write(script);
            process = start(program, model, script);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        orders = process.outputWriter();
        answers = process.inputReader();
    }

    private Path compile(Path into) throws IOException, NoCompiler {
        Path source = copy("hopper_loop.c", CLoop.class);
        Path program = into.resolve("hopper_loop");
        Process compiler;
        try {
            compiler = new ProcessBuilder("cc", "-O2", "-o", program.toString(), source.toString(), "-ldl")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            Scratch.remove(into);
            throw new NoCompiler();
        }
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (await(compiler) != 0) {
            throw new IOException("cc failed: " + said);
        }
        return program;
    }

    private Path copy(String resource, Class<?> owner) throws IOException {
        try (InputStream in = owner.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("no resource " + resource);
            }
            Path file = folder.resolve(resource);
            Files.copy(in, file);
            return file;
        }
    }

    /** The loader looks for what the library needs in the library's own folder, as we do. */
    private static Process start(Path program, Path model, Path script) throws IOException {
        Mujoco mujoco = Mujoco.get();
        String library = mujoco.location().library();
        Mujoco.DataOffsets at = mujoco.dataOffsets();
        List<String> command = Stream.of(
                        program, library, model, script, at.qpos(), at.qvel(), at.control(), HopperEpisodes.FRAME_SKIP)
                .map(Object::toString)
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        Path parent = Path.of(library).getParent();
        if (parent != null) {
            builder.environment()
                    .putAll(Map.of("LD_LIBRARY_PATH", parent.toString(), "DYLD_LIBRARY_PATH", parent.toString()));
        }
        return builder.start();
    }

    Round round() {
        try {
            orders.write("go\n");
            orders.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new IllegalStateException("the C loop ended: see above");
            }
            String[] parts = answer.split(" ", -1);
            return new Round(
                    Long.parseLong(parts[0]) * 1e-9, Long.parseLong(parts[1]) * 1e-9, Double.parseDouble(parts[2]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
            orders.close();
            await(process);
            Scratch.remove(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
