package dev.pgkq.gp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.gp.EpisodicGram.Part;
import dev.pgkq.parallel.Workers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A Gram matrix that was put together from blocks, as a cluster does, is the one of a single machine to the last bit. */
class GramBlocksTest {
    private static final int COUNT = 150;

    private static int[] lengths() {
        int[] lengths = new int[COUNT];
        Arrays.setAll(lengths, i -> RandomEpisodes.LENGTHS[i % RandomEpisodes.LENGTHS.length]);
        return lengths;
    }

    private static EmbeddedEpisodes range(EmbeddedEpisodes all, int from, int to) {
        int first = all.starts()[from];
        int last = all.starts()[to];
        int[] starts = new int[to - from + 1];
        Arrays.setAll(starts, i -> all.starts()[from + i] - first);
        return new EmbeddedEpisodes(
                starts,
                all.features(),
                Arrays.copyOfRange(all.embeddings(), first * all.features(), last * all.features()),
                all.dimensions(),
                Arrays.copyOfRange(all.weights(), first * all.dimensions(), last * all.dimensions()));
    }

    /** As it comes out at the other end of a wire. */
    private static Part sent(Part part) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(part);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (Part) in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** Shards of {@code shard} episodes, joined to blocks of {@code size}, every pair of blocks by itself. */
    private static double[] inBlocks(EpisodicGram gram, EmbeddedEpisodes all, int shard, int size) {
        double[] sums = new double[COUNT * all.features()];
        for (int from = 0; from < COUNT; from += shard) {
            EmbeddedEpisodes own = range(all, from, Math.min(COUNT, from + shard));
            for (int i = 0; i < own.count(); i++) {
                System.arraycopy(own.sum(i), 0, sums, (from + i) * all.features(), all.features());
            }
        }
        double[] mean = EmbeddedEpisodes.mean(sums, all.features(), all.rows());
        double[] whole = new double[COUNT * COUNT];
        try (Workers workers = new Workers(1)) {
            List<Part> blocks = new ArrayList<>();
            for (int block = 0; block < COUNT; block += size) {
                List<Part> shards = new ArrayList<>();
                for (int from = block; from < Math.min(COUNT, block + size); from += shard) {
                    int to = Math.min(Math.min(COUNT, block + size), from + shard);
                    shards.add(sent(gram.part(range(all, from, to), mean, workers)));
                }
                blocks.add(shards.getFirst().and(shards.subList(1, shards.size())));
            }
            for (int i = 0; i < blocks.size(); i++) {
                for (int j = i; j < blocks.size(); j++) {
                    double[] values = blocks.get(i).against(blocks.get(j), workers);
                    int columns = blocks.get(j).count();
                    for (int k = 0; k < values.length; k++) {
                        int row = i * size + k / columns;
                        int column = j * size + k % columns;
                        whole[row * COUNT + column] = values[k];
                        whole[column * COUNT + row] = values[k];
                    }
                }
            }
        }
        return whole;
    }

    @Test
    void blocksAreTheWholeBitForBit() {
        try (Workers workers = new Workers(2)) {
            for (int dimensions : new int[] {1, 3, 32}) {
                EmbeddedEpisodes all = RandomEpisodes.of(dimensions, lengths());
                EpisodicGram exact = new ExactGram();
                double[] expected = exact.of(all, workers);
                assertThat(inBlocks(exact, all, 8, 48)).isEqualTo(expected);
                assertThat(inBlocks(exact, all, 7, 7)).isEqualTo(expected);
                EpisodicGram features = new FeatureGram(64, 3);
                double[] estimated = features.of(all, workers);
                assertThat(inBlocks(features, all, 16, features.alignment())).isEqualTo(estimated);
                assertThat(inBlocks(features, all, 64, 2 * features.alignment()))
                        .isEqualTo(estimated);
            }
        }
    }
}
