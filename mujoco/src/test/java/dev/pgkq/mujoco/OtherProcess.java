package dev.pgkq.mujoco;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs a main class in a JVM of its own, with this one's class path: for what ends a process or happens once in it. */
record OtherProcess(int exitCode, String output, String errors) {

    static OtherProcess run(Class<?> main, Path folder, List<String> jvmOptions, Map<String, String> environment)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        Path logs = Files.createTempDirectory("pgkq-test-");
        Path output = logs.resolve("output");
        Path errors = logs.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().putAll(environment);
        int exitCode = builder.start().waitFor();
        OtherProcess result = new OtherProcess(exitCode, text(output), text(errors));
        Files.delete(output);
        Files.delete(errors);
        Files.delete(logs);
        return result;
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
