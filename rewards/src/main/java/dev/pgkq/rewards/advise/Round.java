package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Choice;
import dev.pgkq.advise.Items;
import java.util.stream.IntStream;

/**
 * A question and its answer, without the items.
 *
 * @param number 1, 2, …
 * @param judge who scores it
 * @param source the round whose items are scored once more, or 0
 * @param open whether scores are missing
 * @param asked when it was asked, in milliseconds since 1970
 * @param hash of the judge, the items and their ids
 * @param size number of items
 * @param picked which items to score, without those that were abandoned
 * @param abandoned places of the items that were chosen and given up
 * @param owned places of the items whose scores were known when it was asked
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Round(
        int number,
        String judge,
        int source,
        boolean open,
        long asked,
        String hash,
        int size,
        Picked picked,
        int[] abandoned,
        int[] owned) {

    /**
     * A {@link Choice} without its items and its number. Errors are NaN where they are not known.
     *
     * @param chosen places of the items to score
     */
    record Picked(
            int[] chosen,
            double[] weights,
            double[] predicted,
            double[] variances,
            double errorBefore,
            double expectedError,
            double randomError) {
        static Picked of(Choice choice) {
            return new Picked(
                    choice.indices(),
                    choice.weights(),
                    choice.predicted(),
                    choice.variances(),
                    choice.errorBefore(),
                    choice.expectedError(),
                    choice.randomError());
        }
    }

    /** Places of the items to score. */
    int[] chosen() {
        return picked.chosen();
    }

    Choice choice(Items items) {
        return new Choice(
                items,
                number,
                picked.chosen(),
                picked.weights(),
                picked.predicted(),
                picked.errorBefore(),
                picked.expectedError(),
                picked.randomError(),
                picked.variances());
    }

    /** This round with another choice, without items that are abandoned from now on. */
    Round with(Choice choice, int[] newlyAbandoned) {
        int[] all = IntStream.concat(IntStream.of(abandoned), IntStream.of(newlyAbandoned))
                .toArray();
        return new Round(number, judge, source, open, asked, hash, size, Picked.of(choice), all, owned);
    }
}
