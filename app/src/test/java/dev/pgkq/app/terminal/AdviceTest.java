package dev.pgkq.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.env.Task;
import dev.pgkq.env.TaskFailureException;
import dev.pgkq.env.Tasks;
import dev.pgkq.text.UserException;
import org.junit.jupiter.api.Test;

class AdviceTest {
    private static final Task TASK = Tasks.named("Pendulum-v1");

    @Test
    void aTaskThatFailsIsToBeChecked() {
        assertThat(Advice.message(new TaskFailureException(TASK, "its reward is NaN")))
                .isEqualTo("its reward is NaN. 'pgkq envs --check Pendulum-v1' checks the task");
    }

    @Test
    void severalLinesGetOneMore() {
        String lines = "it failed" + System.lineSeparator() + "on two lines";
        assertThat(Advice.message(new TaskFailureException(TASK, lines)))
                .isEqualTo(lines + System.lineSeparator() + "'pgkq envs --check Pendulum-v1' checks the task");
    }

    @Test
    void otherMessagesStayAsTheyAre() {
        assertThat(Advice.message(new UserException("the disk is full"))).isEqualTo("the disk is full");
    }
}
