package dev.pgkq.rewards.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.Reply;

/**
 * Whatever the bytes, the result is a valid reply or an {@link EvaluationException} with a message. An ordinary test run reads the
 * inputs in the resources; {@code CONTRIBUTING.md} describes how to find more.
 */
class AnswerReaderFuzzTest {
    @FuzzTest(maxDuration = "30s")
    void anyBytes(byte[] bytes) {
        for (int length : new int[] {0, 1, 3}) {
            try {
                Reply answer = AnswerReader.read(bytes, length);
                assertThat(answer.values()).hasSize(answer.grain() == Grain.STEP ? length : 1);
                assertThat(answer.rewards(length).values()).hasSize(length);
            } catch (EvaluationException e) {
                assertThat(e.getMessage()).startsWith("the answer ").doesNotContainPattern("\\p{Cc}");
            }
        }
    }
}
