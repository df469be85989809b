package dev.pgkq.reward;

import dev.pgkq.episode.Episode;
import java.util.List;

/** The source of the rewards that training pays for. Some requests may fail. */
public interface RewardSource extends AutoCloseable {
    /**
     * Requests the rewards of episodes and waits until all have arrived or failed for good.
     *
     * @param episodes the episodes to pay for; not modified
     * @return an answer for each episode, in their order
     */
    List<Answer> request(List<Episode> episodes);

    @Override
    default void close() {}

    /**
     * {@return a source that asks an oracle; closing it closes the oracle}
     *
     * @param oracle evaluates the rewards
     */
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
