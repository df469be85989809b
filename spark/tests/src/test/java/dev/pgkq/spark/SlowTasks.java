package dev.pgkq.spark;

import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.env.Task;
import dev.pgkq.env.TaskProvider;
import dev.pgkq.env.Tasks;
import dev.pgkq.random.RandomStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * A pendulum that is slow on an executor and creates a file in the folder PGKQ_TEST_MARKS at the start of each episode. The file's
 * name starts with the id of the process.
 */
public final class SlowTasks implements TaskProvider {
    static final String ID = "SlowPendulum-v0";

    @Override
    public List<Task> tasks() {
        return List.of(new Task(ID, "a slow pendulum", Slow::new));
    }

    private static final class Slow implements Environment {
        private final Environment pendulum = Tasks.named("Pendulum-v1").open();
        private final String marks = System.getenv().getOrDefault("PGKQ_TEST_MARKS", "");
        private int steps;

        @Override
        public EnvironmentSpec spec() {
            return pendulum.spec();
        }

        @Override
        public void reset(RandomStream random) {
            if (!marks.isEmpty()) {
                try {
                    Files.createFile(Path.of(marks, ProcessHandle.current().pid() + "-" + UUID.randomUUID()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            pendulum.reset(random);
        }

        @Override
        public Outcome step(float[] action) {
            if (!marks.isEmpty() && ++steps % 4 == 0) {
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return pendulum.step(action);
        }

        @Override
        public void observation(float[] into) {
            pendulum.observation(into);
        }

        @Override
        public void state(double[] into) {
            pendulum.state(into);
        }

        @Override
        public double reward(double[] before, float[] action, double[] after) {
            return pendulum.reward(before, action, after);
        }

        @Override
        public void close() {
            pendulum.close();
        }
    }
}
