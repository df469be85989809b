package dev.pgkq.spark;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.app.terminal.ProgressView;
import dev.pgkq.app.training.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;

/** Trains, and reads the results. */
final class Runs {
    private Runs() {}

    /** Collects the messages of a run. */
    static final class Messages implements ProgressView {
        final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void show(IterationView iteration) {
            // not needed
        }

        @Override
        public void message(String line) {
            lines.add(line);
        }

        @Override
        public void waiting(IntFunction<String> line) {
            // not needed
        }

        @Override
        public void finish() {
            // nothing to finish
        }
    }

    /**
     * @param settings KEY=VALUE
     */
    static RunConfig config(List<String> settings) {
        Map<Setting, Given> given = new EnumMap<>(Setting.class);
        for (String each : settings) {
            int at = each.indexOf('=');
            String key = each.substring(0, at);
            given.put(Setting.named(key).orElseThrow(), new Given(each.substring(at + 1), "--" + key));
        }
        return RunConfig.of(given);
    }

    static Messages train(Path directory, boolean resume, List<String> settings) {
        Messages messages = new Messages();
        new TrainingRun(new RunDirectory(directory), resume, config(settings)).run(messages, () -> false);
        return messages;
    }

    static List<String> with(List<String> settings, String... more) {
        List<String> all = new ArrayList<>(settings);
        all.addAll(Arrays.asList(more));
        return all;
    }

    /** The rows of metrics.csv without the columns of times. */
    static List<String> metrics(Path directory) throws IOException {
        List<String> lines = Files.readAllLines(directory.resolve("metrics.csv"));
        String[] names = lines.getFirst().split(",", -1);
        List<String> rows = new ArrayList<>();
        for (String line : lines) {
            String[] values = line.split(",", -1);
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < values.length; i++) {
                if (!names[i].contains("seconds")) {
                    row.append(names[i]).append('=').append(values[i]).append(' ');
                }
            }
            rows.add(row.toString());
        }
        return rows;
    }

    /** The bytes of the newest checkpoint. */
    static byte[] policy(Path directory) throws IOException {
        try (var files = Files.walk(directory.resolve("checkpoint"))) {
            Path newest = files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(".safetensors"))
                    .sorted()
                    .reduce((first, second) -> second)
                    .orElseThrow();
            return Files.readAllBytes(newest);
        }
    }
}
