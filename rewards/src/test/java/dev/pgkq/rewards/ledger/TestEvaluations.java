package dev.pgkq.rewards.ledger;

import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.rewards.request.Reply;
import java.util.Random;

/** Evaluations by number, the same in every process. */
public final class TestEvaluations {
    private TestEvaluations() {}

    public static Episode episode(int number) {
        int length = 1 + number % 7;
        float[] values = new float[length];
        double[] states = new double[length + 1];
        Random random = new Random(number);
        for (int t = 0; t < length; t++) {
            values[t] = (float) random.nextGaussian();
        }
        return new Episode(
                number / 8, number % 8, length, values, values.clone(), values.clone(), states, Ending.TRUNCATED);
    }

    public static EvaluationId id(int number) {
        return EvaluationId.of("judge 1", "Task-v0", "run", episode(number));
    }

    public static LedgerKey key(int number) {
        return id(number).key();
    }

    public static Reply answer(int number) {
        return Reply.ofSteps(
                new Random(~number).doubles(episode(number).length(), -1e6, 1e6).toArray(), number / 100.0);
    }
}
