package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.web.ViewerLimit.Admission;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ViewerLimitTest {
    private final ViewerLimit viewers = new ViewerLimit(200);

    private long acquire(int count, String session, String address) {
        return IntStream.range(0, count)
                .filter(_ -> viewers.acquire(session, address) == Admission.ADMITTED)
                .count();
    }

    @Test
    void aSessionMayHoldAFifthFromAnyAddress() {
        assertThat(acquire(30, "one", "here")).isEqualTo(30);
        assertThat(acquire(200, "one", "there")).isEqualTo(10);
        assertThat(viewers.acquire("one", "elsewhere")).isEqualTo(Admission.CLIENT_LIMIT);
        assertThat(viewers.acquire("two", "here")).isEqualTo(Admission.ADMITTED);
    }

    @Test
    void clientsWithoutASessionLeaveRoomForSessions() {
        assertThat(acquire(200, "", "here")).isEqualTo(100);
        assertThat(acquire(200, "one", "here")).isEqualTo(40);
        assertThat(acquire(200, "two", "here")).isEqualTo(10);
    }

    @Test
    void manySessionsFromOneAddressLeaveRoomForOtherAddresses() {
        long admitted = IntStream.range(0, 100)
                .mapToLong(i -> acquire(10, "session " + i, "here"))
                .sum();
        assertThat(admitted).isEqualTo(150);
        assertThat(acquire(200, "", "there")).isEqualTo(50);
        assertThat(viewers.acquire("new", "anywhere")).isEqualTo(Admission.FULL);
    }

    @Test
    void releasedConnectionsCanBeAcquiredAgain() {
        acquire(200, "one", "here");
        for (int i = 0; i < 40; i++) {
            viewers.release("one", "here");
        }
        assertThat(acquire(200, "one", "here")).isEqualTo(40);
        assertThat(acquire(200, "", "here")).isEqualTo(100);
    }

    @Test
    void closingAdmitsNobodyAndWaitsForThoseConnected() throws Exception {
        acquire(2, "", "here");
        viewers.close(Duration.ofMillis(1)); // nobody disconnects
        assertThat(viewers.acquire("", "there")).isEqualTo(Admission.FULL);
        Thread leaving = Thread.ofVirtual().start(() -> {
            viewers.release("", "here");
            viewers.release("", "here");
        });
        viewers.close(Duration.ofMinutes(5));
        leaving.join();
    }
}
