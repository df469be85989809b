package dev.pgkq.reward;

import dev.pgkq.episode.Episode;
import java.util.List;

/** The source of the rewards that training pays for. Some requests may fail. */
public interface RewardSource extends AutoCloseable {
    /** Returns an answer for each of these episodes, in their order, once all have arrived or failed for good. */
    List<Answer> request(List<Episode> episodes);

    @Override
    default void close() {}

    /** Returns a source that asks an oracle; closing it closes the oracle. */
    static RewardSource of(RewardOracle oracle) {
        return new RewardSource() {
            @Override
            public List<Answer> request(List<Episode> episodes) {
                return oracle.evaluate(episodes).stream()
                        .<Answer>map(Answer.Paid::new)
                        .toList();
            }

            @Override
            public void close() {
                oracle.close();
            }
        };
    }
}
