package dev.pgkq.nn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MinibatchesTest {
    @Test
    void everyEpochVisitsEverySampleOnceInPortionsOfNearlyEqualSize() {
        int samples = 103;
        int[][] visits = new int[3][samples];
        List<Integer> sizes = new ArrayList<>();
        new Minibatches(3, 4)
                .forEach(samples, epoch -> RandomStream.of(1, Purpose.CHECK, epoch), (epoch, order, from, to) -> {
                    sizes.add(to - from);
                    for (int i = from; i < to; i++) {
                        visits[epoch][order[i]]++;
                    }
                });
        for (int[] epoch : visits) {
            assertThat(epoch).containsOnly(1);
        }
        assertThat(sizes).hasSize(12).allMatch(size -> size == 25 || size == 26);
    }

    @Test
    void fewerSamplesThanPortionsGiveOneEach() {
        List<Integer> sizes = new ArrayList<>();
        new Minibatches(1, 10).forEach(3, epoch -> RandomStream.of(1, Purpose.CHECK), (epoch, order, from, to) -> {
            sizes.add(to - from);
        });
        assertThat(sizes).isEqualTo(Arrays.asList(1, 1, 1));
    }
}
