package dev.pgkq.app.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.gym.TestPython;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** ONNX models as ONNX Runtime sees them. */
public final class OnnxModels {
    private OnnxModels() {}

    /** Checks a model, and returns its metadata and its outputs for these observations; skips the test without Python. */
    public static JsonNode run(Path model, float[] observations, Path folder) throws IOException {
        Path file = folder.resolve("observations.bin");
        ByteBuffer bytes =
                ByteBuffer.allocate(observations.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(observations);
        Files.write(file, bytes.array());
        Path script = Path.of("src", "test", "resources", "dev", "pgkq", "app", "export", "outputs.py");
        return new JsonMapper().readTree(python(folder, script.toString(), model.toString(), file.toString()));
    }

    /** Runs Python and returns what it prints. */
    public static String python(Path folder, String... arguments) throws IOException {
        Path errors = folder.resolve("errors.txt");
        List<String> command = new ArrayList<>(List.of(TestPython.withGymnasium()));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return out;
    }

    /** The numbers of an output, row by row. */
    public static double[] output(JsonNode ran, String name) {
        JsonNode values = ran.path("outputs").path(name);
        double[] numbers = new double[values.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = values.get(i).asDouble();
        }
        return numbers;
    }
}
