package dev.pgkq.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DelayedProgressTest {
    @Test
    void itSpeaksOnlyAfterTwoSecondsOfSilence() {
        AtomicLong seconds = new AtomicLong();
        StringWriter out = new StringWriter();
        DelayedProgress progress = new DelayedProgress(new PrintWriter(out), () -> seconds.get() * 1_000_000_000L);
        for (int i = 0; i <= 5; i++) {
            seconds.set(i);
            progress.at("step " + i);
        }
        assertThat(out.toString().lines()).containsExactly("step 2 …", "step 4 …");
    }
}
