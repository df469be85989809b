package dev.pgkq.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.env.Task;
import dev.pgkq.env.TaskFailureException;
import dev.pgkq.env.Tasks;
import dev.pgkq.rewards.cluster.ClusterException;
import dev.pgkq.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    @ParameterizedTest
    @EnumSource(ClusterException.Problem.class)
    void everyProblemWithAClusterGetsAdvice(ClusterException.Problem problem) {
        assertThat(Advice.message(new ClusterException(problem, "it does not work")))
                .startsWith("it does not work. ")
                .containsPattern("pgkq|--[a-z]+");
    }

    @Test
    void aRunThatLostItsClusterCanBeResumed() {
        assertThat(Advice.message(new ClusterException(ClusterException.Problem.EXECUTORS_LOST, "the cluster is gone")))
                .isEqualTo("the cluster is gone. Restart it or use another one. Everything up to the last iteration is"
                        + " saved; continue with --resume, with or without --cluster");
    }

    @Test
    void otherMessagesStayAsTheyAre() {
        assertThat(Advice.message(new UserException("the disk is full"))).isEqualTo("the disk is full");
    }
}
