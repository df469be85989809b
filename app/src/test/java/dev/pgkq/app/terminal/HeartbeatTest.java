package dev.pgkq.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
    @Test
    void itSpeaksWhileOthersWork() throws InterruptedException {
        StringWriter out = new StringWriter();
        CountDownLatch asked = new CountDownLatch(3);
        try (Heartbeat heart = new Heartbeat(new PrintWriter(out), Duration.ofMillis(1), Duration.ofMillis(1))) {
            heart.doing(() -> {
                asked.countDown();
                return asked.getCount() + " left";
            });
            asked.await();
        }
        assertThat(out.toString().lines()).contains("2 left …", "1 left …", "0 left …");
    }

    @Test
    void workThatTakesNoTimeIsDoneInSilence() {
        StringWriter out = new StringWriter();
        try (Heartbeat heart = new Heartbeat(new PrintWriter(out), Duration.ofHours(1), Duration.ofHours(1))) {
            heart.doing("nothing much");
        }
        assertThat(out.toString()).isEmpty();
    }
}
