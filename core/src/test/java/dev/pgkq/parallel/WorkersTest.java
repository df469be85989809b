package dev.pgkq.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WorkersTest {
    @Test
    void whoWaitsSeesHowFarItIs() {
        try (Workers workers = new Workers(1)) {
            assertThat(workers.share()).isZero();
            double[] seen = new double[4];
            workers.run(4, (worker, task) -> seen[task] = workers.share());
            assertThat(seen).containsExactly(0.25, 0.5, 0.75, 1);
            assertThat(workers.share()).isEqualTo(1);
        }
    }

    @Test
    void everyTaskIsDoneOnce() {
        int[] done = new int[1000];
        try (Workers workers = new Workers(3)) {
            workers.run(done.length, (worker, task) -> done[task]++);
        }
        assertThat(Arrays.stream(done).boxed()).containsOnly(1);
    }
}
