package dev.pgkq.reward;

import dev.pgkq.episode.Episode;
import java.util.List;

/** Where training gets its rewards from, some of which may never come. */
public interface RewardSource extends AutoCloseable {
    /** An answer for each of these episodes, in their order. Returns when all have come or failed for good. */
    List<Answer> request(List<Episode> episodes);

    @Override
    default void close() {}

    /** An oracle that always answers. */
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
