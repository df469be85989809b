package dev.pgkq.benchmarks;

import dev.pgkq.mujoco.Mujoco;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs {@code hopper_loop.c} on the episodes that it replays. */
final class CLoop implements AutoCloseable {
    private final CProgram program;

    CLoop(HopperEpisodes episodes) throws CProgram.Unavailable {
        program = new CProgram("hopper_loop", List.of("-O2"), List.of("-ldl"));
        try {
            Path model = program.copy("hopper.xml", Mujoco.class);
            Path script = program.file("episodes");
            episodes.write(script);
            start(model, script);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The dynamic loader searches the library's own folder for its dependencies, as pgkq does. */
    private void start(Path model, Path script) throws IOException {
        Mujoco mujoco = Mujoco.get();
        String library = mujoco.location().library();
        Mujoco.DataOffsets at = mujoco.dataOffsets();
        Path parent = Path.of(library).getParent();
        Map<String, String> environment = parent == null
                ? Map.of()
                : Map.of("LD_LIBRARY_PATH", parent.toString(), "DYLD_LIBRARY_PATH", parent.toString());
        program.start(
                environment, library, model, script, at.qpos(), at.qvel(), at.control(), HopperEpisodes.FRAME_SKIP);
    }

    CProgram.Round round() {
        return program.round();
    }

    @Override
    public void close() {
        program.close();
    }
}
