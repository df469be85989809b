package dev.pgkq.app.training;

import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.run.TensorBoardWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the metrics of a run for TensorBoard as well, if that is enabled. */
record TensorBoardLog(@Nullable TensorBoardWriter writer) implements AutoCloseable {
    static TensorBoardLog open(boolean enabled, RunDirectory directory, int iteration) {
        if (!enabled) {
            return new TensorBoardLog(null);
        }
        TensorBoardWriter writer = TensorBoardWriter.open(directory.tensorBoard());
        if (iteration > 0) {
            writer.resumeAt(iteration + 1L, now());
        }
        return new TensorBoardLog(writer);
    }

    void append(int iteration, Map<String, Number> row) {
        if (writer == null) {
            return;
        }
        Map<String, Double> scalars = new LinkedHashMap<>();
        row.forEach((column, value) -> scalars.put(column, value.doubleValue()));
        scalars.remove("iteration");
        writer.scalars(iteration, now(), scalars);
    }

    private static double now() {
        return System.currentTimeMillis() / 1000.0;
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
