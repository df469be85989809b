package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.run.MetricsFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many viewers watch a training run, some of which reconnect repeatedly: each receives every row once, in order.
 * {@code pgkq bench dashboard} uses more viewers for longer and measures their cost.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class DashboardLoadTest {
    private static final int VIEWERS = 20;
    private static final int ITERATIONS = 40;

    @TempDir
    private Path root = Path.of("");

    @Test
    void everyViewerReceivesEveryRowOfALiveRun() throws Exception {
        Path run = root.resolve("live");
        try (Dashboard dashboard = Dashboard.start(Dashboard.Settings.of(root).withPort(0));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> training = Executors.newSingleThreadExecutor(
                            Thread.ofPlatform().daemon().factory())
                    .submit(() ->
                            TestRuns.train(run, ITERATIONS, "--algo", "ppo").exitCode());
            while (MetricsFile.rows(run.resolve("metrics.csv")) < 1) {
                assertThat(training.isDone()).isFalse();
                TimeUnit.MILLISECONDS.sleep(50);
            }
            List<Future<List<Integer>>> watching = new ArrayList<>();
            for (int i = 0; i < VIEWERS; i++) {
                watching.add(threads.submit(watch(dashboard, i % 4 == 0)));
            }
            assertThat(training.get()).isZero();
            List<Integer> all = IntStream.rangeClosed(1, ITERATIONS).boxed().toList();
            for (Future<List<Integer>> viewer : watching) {
                assertThat(viewer.get()).isEqualTo(all);
            }
            assertThat(Files.readAllLines(run.resolve("metrics.csv"))).hasSize(1 + ITERATIONS);
        }
    }

    /** Ignores rows received before, as a page does: they may be sent again after a reconnect. */
    private static Callable<List<Integer>> watch(Dashboard dashboard, boolean reconnects) {
        return () -> {
            List<Integer> seen = new ArrayList<>();
            String lastId = "";
            int last = 0;
            while (last < ITERATIONS) {
                try (EventStreamClient viewer = new EventStreamClient(dashboard, "?runs=live", lastId)) {
                    int next = reconnects ? Math.min(ITERATIONS, last + 3) : ITERATIONS;
                    viewer.awaitRow(next);
                    lastId = viewer.lastId();
                    for (int seq : viewer.rows()) {
                        if (seq > last) {
                            seen.add(seq);
                            last = seq;
                        }
                    }
                }
            }
            return seen;
        };
    }
}
