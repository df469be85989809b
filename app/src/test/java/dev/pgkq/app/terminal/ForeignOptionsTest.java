package dev.pgkq.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ForeignOptionsTest {
    private static final List<String> KNOWN = List.of("--iterations", "--discount", "--env");

    @Test
    void optionsOfOtherLibrariesHaveCounterparts() {
        assertThat(ForeignOptions.hint("--total-timesteps=1000", KNOWN)).isEqualTo("; did you mean --iterations?");
        assertThat(ForeignOptions.hint("--total_timesteps", KNOWN)).isEqualTo("; did you mean --iterations?");
        assertThat(ForeignOptions.hint("-gamma", KNOWN)).isEqualTo("; did you mean --discount?");
    }

    @Test
    void otherNamesAreComparedWithKnownOnes() {
        assertThat(ForeignOptions.hint("--evn", KNOWN)).isEqualTo("; did you mean --env?");
        assertThat(ForeignOptions.hint("--lr", KNOWN))
                .as("the command has no such option")
                .doesNotContain("learning");
    }
}
