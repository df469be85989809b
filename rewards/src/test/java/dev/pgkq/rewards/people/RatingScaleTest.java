package dev.pgkq.rewards.people;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RatingScaleTest {
    @Test
    void endsAndTheirWordsAreUnderstood() {
        assertThat(RatingScale.parse("0..10")).isEqualTo(new RatingScale(0, 10, "", ""));
        assertThat(RatingScale.parse(" -3 bad .. +3 good. very "))
                .isEqualTo(new RatingScale(-3, 3, "bad", "good. very"));
        assertThat(RatingScale.parse("0 fell at once .. 10 walks like a person"))
                .isEqualTo(new RatingScale(0, 10, "fell at once", "walks like a person"));
        assertThat(RatingScale.parse("1..5 perfect")).isEqualTo(new RatingScale(1, 5, "", "perfect"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0..10", "-3 bad .. 3 good", "1 .. 5 perfect", "1 no .. 5"})
    void whatIsWrittenIsReadBack(String text) {
        RatingScale scale = RatingScale.parse(text);

        assertThat(RatingScale.parse(scale.text())).isEqualTo(scale);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "0-10", "0..", "a..b", "10..0", "3..3", "0..100", "0.5..1", "99999..100000"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> RatingScale.parse(text))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("rating scale");
    }

    @Test
    void ratingsAreItsWholeNumbers() {
        RatingScale scale = RatingScale.parse("-1..2");

        assertThat(scale.has(-1)).isTrue();
        assertThat(scale.has(2)).isTrue();
        assertThat(scale.has(0.5)).isFalse();
        assertThat(scale.has(3)).isFalse();
        assertThat(scale.has(Double.NaN)).isFalse();
    }
}
