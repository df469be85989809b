package dev.pgkq.rewards.advise;

import static dev.pgkq.rewards.advise.TestJudge.batch;
import static dev.pgkq.rewards.advise.TestJudge.names;
import static dev.pgkq.rewards.advise.TestJudge.score;
import static dev.pgkq.rewards.advise.TestJudge.scores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.advise.Estimates;
import dev.pgkq.advise.Items;
import dev.pgkq.rewards.advise.DurableAdviser.Options;
import dev.pgkq.rewards.desk.Budget;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.select.Pace;
import dev.pgkq.text.UserException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdviserArchiveTest {
    @TempDir
    private Path folder = Path.of("");

    private AdviserArchive archive() {
        return new AdviserArchive(folder.resolve(DurableAdviser.FILE), Optional.of(folder.resolve(Ledger.FILE)));
    }

    private DurableAdviser start() {
        return DurableAdviser.open(
                folder, Options.defaults().withPace(new Pace.Fixed(4)).withBudget(new Budget(50, 20, 0.5)));
    }

    @Test
    void itReadsWhileTheAdviserWorksWhatTheAdviserSays() {
        assertThat(AdviserArchive.isIn(folder)).isFalse();
        Items items = batch(1, 12);
        List<String> names = names(1, 12);
        try (DurableAdviser adviser = start()) {
            Advice advice = adviser.ask(Question.of(items).withIds(names).withOwned(Map.of(names.get(3), Score.of(2))));
            String first = advice.ids().getFirst();
            int place = advice.indices()[0];
            adviser.tell(1, Map.of(first, Score.of(score(items, place))), false);
            int gone = advice.indices()[3];
            adviser.abandon(1, List.of(names.get(gone)), false, false);

            assertThat(AdviserArchive.isIn(folder)).isTrue();
            AdviserArchive.Contents contents = archive().contents();
            assertThat(contents.identity()).isEqualTo(adviser.status().identity());
            assertThat(contents.rounds()).isEqualTo(adviser.rounds(0));
            assertThat(contents.calls()).isEqualTo(adviser.status().spent()).isEqualTo(4);
            assertThat(contents.answers()).isEqualTo(1);
            assertThat(contents.cost()).isEqualByComparingTo("0.5");
            assertThat(contents.budget().evaluations()).isEqualTo(50);
            assertThat(contents.budget().cost()).isEqualTo(20);
            RoundView open = archive().round(1, new ItemSketches()).orElseThrow();
            assertThat(open.ids()).isEqualTo(names);
            assertThat(open.chosen()).containsExactly(adviser.round(1).indices());
            assertThat(open.weights()).containsExactly(adviser.round(1).weights());
            assertThat(open.abandoned()).containsExactly(gone);
            assertThat(open.scores()).containsOnly(Map.entry(place, score(items, place)), Map.entry(3, 2.0));
            assertThat(open.estimates()).isEmpty();
            assertThat(archive().round(2, new ItemSketches())).isEmpty();

            adviser.tell(1, scores(items, adviser.round(1)), false);
            Estimates estimates = archive()
                    .round(1, new ItemSketches())
                    .orElseThrow()
                    .estimates()
                    .orElseThrow();
            assertThat(estimates.mean())
                    .containsExactly(
                            adviser.estimates(1).estimates().orElseThrow().mean());
            assertThat(archive().contents().changes()).isGreaterThan(contents.changes());
        }
        assertThat(archive().contents().rounds().getFirst().open()).isFalse();
        start().close();
    }

    private void execute(String file, String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(file));
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isPositive();
        }
    }

    /** What a view must not read is damaged before it. */
    @Test
    void aViewReadsTheFeaturesOfARoundOnceAndOnlyItsOwnEntriesOfTheLedger() throws Exception {
        ItemSketches sketches = new ItemSketches();
        Items items = batch(1, 12);
        try (DurableAdviser adviser = start()) {
            Advice advice = adviser.ask(Question.of(items));
            Advice other = adviser.ask(Question.of(batch(2, 12)));
            adviser.tell(1, Map.of(advice.ids().get(0), Score.of(score(items, advice.indices()[0]))), false);
            adviser.tell(2, Map.of(other.ids().get(0), Score.of(1)), false);
            execute(
                    Ledger.FILE,
                    "UPDATE pgkq_evaluation SET state = 'odd' WHERE iteration = 2 AND rewards IS NOT NULL");
            assertThatThrownBy(() -> archive().contents()).isInstanceOf(UserException.class);
            RoundView first = archive().round(1, sketches).orElseThrow();
            assertThat(first.scores()).hasSize(1);
            execute(DurableAdviser.FILE, "UPDATE pgkq_round_items SET features = x'' WHERE round = 1");
            assertThatThrownBy(() -> archive().round(1, new ItemSketches())).isInstanceOf(UserException.class);

            RoundView second = archive().round(1, sketches).orElseThrow();
            assertThat(second.map()).isPresent().isEqualTo(first.map());
            assertThat(second.map().get()).isSameAs(first.map().get());

            adviser.tell(1, scores(items, advice), false);
            RoundView live = archive().round(1, sketches).orElseThrow();
            assertThat(live.scores()).hasSize(4);
            assertThat(live.estimates()).isPresent();
            assertThat(live.summary().open()).isFalse();
        }
    }

    @Test
    void whatWasNotLookedAtForLongIsForgotten() throws Exception {
        ItemSketches sketches = new ItemSketches();
        int[] made = new int[4];
        int size = ItemSketches.MOST_ITEMS / 2;
        // 2 is needed again before 3, so 1 is the oldest then
        for (int round : new int[] {1, 2, 1, 2, 3, 2, 3, 1}) {
            ItemSketch sketch = sketches.get(new ItemSketches.Key(folder, round, "hash"), () -> {
                made[round]++;
                return new ItemSketch(Collections.nCopies(size, "id " + round), new int[size], Optional.empty());
            });
            assertThat(sketch.ids().getFirst()).isEqualTo("id " + round);
        }
        assertThat(made).containsExactly(0, 2, 1, 1);
        assertThat(sketches.get(
                                new ItemSketches.Key(folder, 1, "other"),
                                () -> new ItemSketch(List.of(), new int[0], Optional.empty()))
                        .ids())
                .isEmpty();
    }

    @Test
    void aDatabaseOfAnEarlierVersionIsRefusedUntilItsAdviserHasUpdatedIt() throws Exception {
        start().close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(DurableAdviser.FILE));
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM pgkq_adviser_schema WHERE version >= 2");
            statement.execute("DROP TABLE pgkq_request");
            statement.execute("ALTER TABLE pgkq_adviser DROP COLUMN max_evaluations");
            statement.execute("ALTER TABLE pgkq_adviser DROP COLUMN max_cost");
        }
        assertThatThrownBy(() -> archive().contents())
                .isInstanceOf(UserException.class)
                .hasMessageContaining("has an older version, 1 instead of 3");
        start().close();
        assertThat(archive().contents().budget().evaluations()).isEqualTo(50);
    }

    @Test
    void filesThatAreNoAdvisersAreRefused() throws Exception {
        Files.writeString(folder.resolve(DurableAdviser.FILE), "no database");
        assertThatThrownBy(() -> archive().contents()).isInstanceOf(UserException.class);
        Files.delete(folder.resolve(DurableAdviser.FILE));
        start().close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(DurableAdviser.FILE));
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE pgkq_round RENAME TO other");
            statement.execute("CREATE VIEW pgkq_round AS SELECT * FROM other");
        }
        assertThatThrownBy(() -> archive().contents())
                .isInstanceOf(UserException.class)
                .hasMessageContaining("pgkq_round is not a table");
    }

    /** Two components hold everything if the items lie in a plane: then distances in the map are those between items. */
    @Test
    void distancesInTheMapAreThoseBetweenItemsThatLieInAPlane() {
        for (int size : new int[] {5, 40}) {
            Random random = new Random(size);
            double[][] plane = new double[size][2];
            float[] features = new float[size * 9];
            for (int j = 0; j < size; j++) {
                plane[j] = new double[] {random.nextGaussian(), random.nextGaussian()};
                for (int i = 0; i < 9; i++) {
                    // the last one is constant, and says nothing
                    features[j * 9 + i] =
                            i == 8 ? 7 : (float) (100 * i + (i + 1) * plane[j][0] + (5 - i) * plane[j][1]);
                }
            }
            ItemMap map = ItemMap.of(Items.points(9, features)).orElseThrow();
            assertThat(map.shares()[0] + map.shares()[1]).isCloseTo(1, within(1e-6));
            assertThat(map.shares()[0]).isGreaterThanOrEqualTo(map.shares()[1]);
            double[][] scaled = standardised(features, size, 9);
            for (int a = 0; a < size; a++) {
                assertThat(Math.hypot(map.x()[a] - map.x()[0], map.y()[a] - map.y()[0]))
                        .isCloseTo(distance(scaled[a], scaled[0]), within(1e-3));
            }
        }
    }

    private static double[][] standardised(float[] features, int size, int width) {
        double[][] scaled = new double[size][width];
        for (int i = 0; i < width; i++) {
            double sum = 0;
            double squares = 0;
            for (int j = 0; j < size; j++) {
                sum += features[j * width + i];
                squares += (double) features[j * width + i] * features[j * width + i];
            }
            double deviation = Math.sqrt(Math.max(0, squares / size - sum / size * sum / size));
            for (int j = 0; j < size; j++) {
                scaled[j][i] = deviation < 1e-3 ? 0 : (features[j * width + i] - sum / size) / deviation;
            }
        }
        return scaled;
    }

    private static double distance(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return Math.sqrt(sum);
    }

    @Test
    void oneItemAndItemsThatAreAllTheSameHaveAMap() {
        assertThat(ItemMap.of(Items.points(3, 1, 2, 3)).orElseThrow().x()).containsExactly(0);
        ItemMap same = ItemMap.of(Items.points(1, 4, 4, 4)).orElseThrow();
        assertThat(same.y()).containsExactly(0, 0, 0);
        assertThat(same.shares()).containsExactly(0, 0);
    }

    @Test
    void tooManyItemsHaveNone() {
        int size = ItemMap.MOST + 1;
        assertThat(ItemMap.of(Items.points(size, new float[size * size]))).isEmpty();
    }
}
