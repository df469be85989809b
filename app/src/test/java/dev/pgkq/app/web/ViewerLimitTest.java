package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.web.ViewerLimit.Answer;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ViewerLimitTest {
    private final ViewerLimit places = new ViewerLimit(200);

    private long take(int count, String session, String address) {
        return IntStream.range(0, count)
                .filter(_ -> places.take(session, address) == Answer.TAKEN)
                .count();
    }

    @Test
    void aSessionHasAFifthWhereverItComesFrom() {
        assertThat(take(30, "one", "here")).isEqualTo(30);
        assertThat(take(200, "one", "there")).isEqualTo(10);
        assertThat(places.take("one", "elsewhere")).isEqualTo(Answer.HAS_HIS_SHARE);
        assertThat(places.take("two", "here")).isEqualTo(Answer.TAKEN);
    }

    @Test
    void whoHasNoSessionLeavesPlacesToThoseWhoDo() {
        assertThat(take(200, "", "here")).isEqualTo(100);
        assertThat(take(200, "one", "here")).isEqualTo(40);
        assertThat(take(200, "two", "here")).isEqualTo(10);
    }

    @Test
    void manySessionsFromOneAddressLeavePlacesToOtherAddresses() {
        long taken = IntStream.range(0, 100)
                .mapToLong(i -> take(10, "session " + i, "here"))
                .sum();
        assertThat(taken).isEqualTo(150);
        assertThat(take(200, "", "there")).isEqualTo(50);
        assertThat(places.take("new", "anywhere")).isEqualTo(Answer.FULL);
    }

    @Test
    void whatIsLeftCanBeTakenAgain() {
        take(200, "one", "here");
        for (int i = 0; i < 40; i++) {
            places.leave("one", "here");
        }
        assertThat(take(200, "one", "here")).isEqualTo(40);
        assertThat(take(200, "", "here")).isEqualTo(100);
    }

    @Test
    void whenItClosesNobodyComesInAndThoseInsideAreWaitedFor() throws Exception {
        take(2, "", "here");
        places.close(Duration.ofMillis(1)); // nobody leaves
        assertThat(places.take("", "there")).isEqualTo(Answer.FULL);
        Thread leaving = Thread.ofVirtual().start(() -> {
            places.leave("", "here");
            places.leave("", "here");
        });
        places.close(Duration.ofMinutes(5));
        leaving.join();
    }
}
