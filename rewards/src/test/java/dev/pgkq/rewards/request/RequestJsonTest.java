package dev.pgkq.rewards.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Recording;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestJsonTest {
    /** Actions −1.5, −0.5, 0.5 are clipped to [−1, 1] and mapped to [0, 10]. */
    @Test
    void aRequestIsWrittenToTheLetter() {
        Request request = TestRequests.ask(5, 3).withAttempt(2);
        assertThat(new String(RequestJson.write("run-7", request), UTF_8))
                .isEqualTo(
                        "{\"schema\":\"pgkq.reward.request/1\",\"episode\":\"run-7/3/5\",\"idempotencyKey\":\"key-5\","
                                + "\"task\":\"Point-v0\",\"iteration\":3,\"attempt\":2,\"length\":3,\"ending\":\"terminated\","
                                + "\"observations\":[[0.25,5.0],[1.25,5.0],[2.25,5.0]],"
                                + "\"actions\":[[-1.5],[-0.5],[0.5]],"
                                + "\"environmentActions\":[[0.0],[2.5],[7.5]],"
                                + "\"states\":[[0.0,0.125,0.25],[0.375,0.5,0.625],[0.75,0.875,1.0],[1.125,1.25,1.375]]}");
    }

    /** The episode has one-hot actions, of three categories and of two. */
    @Test
    void discreteActionsAreTheNumbersOfTheirCategories() {
        EnvironmentSpec spec = new EnvironmentSpec(1, new ActionSpace.Discrete(3, 2), 1, 20);
        float[] actions = {0, 0, 1, 1, 0, /* */ 1, 0, 0, 0, 1};
        Episode episode = new Episode(0, 0, 2, new float[2], actions, new float[2], new double[3], Ending.TERMINATED);
        assertThat(new String(RequestJson.write("r", new Request("k", "t", 0, 1, spec, episode)), UTF_8))
                .contains("\"actions\":[[2,0],[0,1]],\"environmentActions\":[[2,0],[0,1]]");
    }

    /** The first number of each state is the task's own reward. */
    @Test
    void hiddenStatesAreLeftOut() {
        double[] states = {0, 10, 11, /* */ -7, 20, 21};
        Episode episode =
                new Episode(0, 0, 1, new float[1], new float[] {0, 1}, new float[1], states, Ending.TERMINATED);
        for (int hidden = 1; hidden <= 3; hidden += 2) {
            EnvironmentSpec spec = new EnvironmentSpec(1, new ActionSpace.Discrete(2), 3, 20, hidden);
            assertThat(new String(RequestJson.write("r", new Request("k", "t", 0, 1, spec, episode)), UTF_8))
                    .endsWith(hidden == 1 ? "\"states\":[[10.0,11.0],[20.0,21.0]]}" : "\"states\":[[],[]]}");
        }
    }

    @Test
    void whatTheEnvironmentSaidAndShowedFollowsTheEpisode() {
        Request plain = TestRequests.ask(5, 1);
        Recording recording = new Recording(
                List.of("{\"x\": 1}", "{\"x\": null}"), List.of(new Recording.Frame(1, new byte[] {1, 2, 3})), 10);
        Request request =
                new Request("k", plain.task(), plain.iteration(), 1, plain.spec(), plain.episode(), recording);
        assertThat(new String(RequestJson.write("r", request.withAttempt(3)), UTF_8))
                .contains("\"attempt\":3")
                .endsWith("],\"infos\":[{\"x\": 1},{\"x\": null}],\"frames\":[{\"step\":1,\"png\":\"AQID\"}]}");
    }

    @Test
    void anEpisodeWithoutStepsHasItsFirstStateOnly() {
        String json = new String(RequestJson.write("r", TestRequests.ask(0, 0)), UTF_8);
        assertThat(json)
                .contains("\"length\":0,\"ending\":\"diverged\",\"observations\":[],\"actions\":[],")
                .endsWith("\"states\":[[0.0,0.125,0.25]]}");
    }

    @Test
    void whatIsNotFiniteIsNull() {
        double[] states = {0, Double.NaN, 1, Double.NEGATIVE_INFINITY, 2, 3};
        Episode episode = new Episode(
                0, 0, 1, new float[] {1, Float.NaN}, new float[] {0}, new float[1], states, Ending.TRUNCATED);
        Request request = new Request("k", "t", 0, 1, TestRequests.SPEC, episode);
        assertThat(new String(RequestJson.write("r", request), UTF_8))
                .contains("\"ending\":\"truncated\"")
                .contains("\"observations\":[[1.0,null]]")
                .endsWith("\"states\":[[0.0,null,1.0],[null,2.0,3.0]]}");
    }

    @Test
    void keysThatAreNoFileNamesAndEpisodesOfOtherShapesAreRefused() {
        for (String key : new String[] {"", "a/b", "../x", ".hidden", "-x", "a b", "a\nb", "x".repeat(201)}) {
            assertThatThrownBy(() -> new Request(key, "t", 3, 1, TestRequests.SPEC, TestRequests.episode(0, 2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("idempotency key");
        }
        Episode other =
                new Episode(0, 0, 1, new float[3], new float[1], new float[1], new double[6], Ending.TERMINATED);
        assertThatThrownBy(() -> new Request("k", "t", 0, 1, TestRequests.SPEC, other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 numbers of observations");
    }
}
