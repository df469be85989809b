package dev.pgkq.benchmarks;

import dev.pgkq.gp.EmbeddedEpisodes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs {@code gram_kernel.c} on the episodes whose Gram matrix it computes, all of the same length. */
final class CGram implements AutoCloseable {
    private final CProgram program;

    CGram(EmbeddedEpisodes episodes) throws CProgram.Unavailable {
        program = new CProgram("gram_kernel", List.of("-O3", "-march=native"), List.of("-lm"));
        try {
            Path file = program.file("episodes");
            write(episodes, file);
            program.start(Map.of(), file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String answer = program.line();
        if (!answer.equals("ready")) {
            program.close();
            throw new CProgram.Unavailable(answer);
        }
    }

    private static void write(EmbeddedEpisodes episodes, Path file) throws IOException {
        int features = episodes.features();
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * (2 + episodes.rows() * (features + 1)))
                .order(ByteOrder.nativeOrder());
        bytes.putFloat(episodes.count()).putFloat(episodes.length(0));
        for (int row = 0; row < episodes.rows(); row++) {
            for (int k = 0; k < features; k++) {
                bytes.putFloat(episodes.embeddings()[row * features + k]);
            }
            bytes.putFloat(episodes.weights()[row]);
        }
        Files.write(file, bytes.array());
    }

    CProgram.Round round() {
        return program.round();
    }

    @Override
    public void close() {
        program.close();
    }
}
