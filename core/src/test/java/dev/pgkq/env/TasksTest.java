package dev.pgkq.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TasksTest {
    @Test
    void aTaskIsFoundByItsName() {
        assertThat(Tasks.named("Pendulum-v1").id()).isEqualTo("Pendulum-v1");
    }

    @Test
    void anUnknownTaskIsAnsweredWithTheNearestNames() {
        assertThatThrownBy(() -> Tasks.named("Pendulm-v1"))
                .isInstanceOfSatisfying(
                        UnknownTaskException.class,
                        unknown -> assertThat(unknown.id()).isEqualTo("Pendulm-v1"))
                .hasMessage("unknown task 'Pendulm-v1'; did you mean Pendulum-v1?");
    }
}
