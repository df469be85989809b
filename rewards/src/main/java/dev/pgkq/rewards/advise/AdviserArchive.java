package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Estimates;
import dev.pgkq.rewards.database.SqliteDatabase;
import dev.pgkq.rewards.desk.Budget;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.ledger.LedgerLocation;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.text.UserException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What an adviser has written, read without changing it, also while a process uses it. The files may come from anybody, so only real
 * tables are read, and only for a limited time.
 *
 * @param rounds the database of rounds
 * @param ledger the ledger; empty if it may not be read
 */
public record AdviserArchive(Path rounds, Optional<Path> ledger) {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int OLDEST_READABLE = 2;
    /** More than a page can show. */
    private static final int MOST_ROUNDS = 2_000;

    /**
     * The state of an adviser, and its newest rounds.
     *
     * @param identity what does not change
     * @param changes increases with every change of the rounds
     * @param budget what may be spent, as it was said when the adviser was last opened
     * @param calls number of calls that count against the limit
     * @param answers number of these that have a score
     * @param cost what scores have cost, as far as that was said
     * @param rounds oldest first
     */
    public record Contents(
            Identity identity,
            long changes,
            Budget budget,
            long calls,
            long answers,
            BigDecimal cost,
            List<RoundSummary> rounds) {}

    /** Reads something. */
    @FunctionalInterface
    private interface Reading<T> {
        T from(Connection connection) throws SQLException;
    }

    /** Whether a folder is that of an adviser. */
    public static boolean isIn(Path folder) {
        return Files.isRegularFile(folder.resolve(DurableAdviser.FILE));
    }

    /** @throws UserException if the files cannot be read */
    public Contents contents() {
        return read(connection -> {
            Identity identity = AdviserStore.identity(connection);
            long[] calls = {0};
            long[] answers = {0};
            BigDecimal[] cost = {BigDecimal.ZERO};
            ledgerFile()
                    .ifPresent(file -> Ledger.read(file, entry -> {
                        if (RunName.isSameRun(entry.id().run(), identity.run())) {
                            int answered = entry.state() == State.DONE ? 1 : 0;
                            calls[0] += entry.unanswered().calls() + answered;
                            answers[0] += answered;
                            cost[0] = cost[0].add(BigDecimal.valueOf(entry.cost()));
                        }
                    }));
            return new Contents(
                    identity,
                    AdviserStore.changes(connection),
                    AdviserStore.budget(connection),
                    calls[0],
                    answers[0],
                    cost[0],
                    table().newest(connection, MOST_ROUNDS));
        });
    }

    /**
     * A round; empty if there is none of this number. Of the ledger, only the entries of the round are read.
     *
     * @param sketches of rounds that were read before
     * @throws UserException if the files cannot be read
     */
    public Optional<RoundView> round(int number, ItemSketches sketches) {
        return read(connection -> {
            Optional<Round> round = table().find(connection, number);
            if (round.isEmpty()) {
                return Optional.empty();
            }
            ItemSketch sketch = sketches.get(
                    new ItemSketches.Key(rounds, number, round.get().hash()),
                    () -> ItemSketch.of(table().items(connection, number).orElseThrow()));
            return Optional.of(view(round.get(), sketch, table().estimates(connection, number)));
        });
    }

    private RoundView view(Round round, ItemSketch sketch, Optional<Estimates> estimates) {
        Map<LedgerKey, Integer> places = new HashMap<>();
        IntStream.concat(
                        IntStream.concat(Arrays.stream(round.chosen()), Arrays.stream(round.abandoned())),
                        Arrays.stream(round.owned()))
                .forEach(place ->
                        places.put(LedgerKey.ofItem(round.judge(), sketch.ids().get(place)), place));
        Map<Integer, Double> scores = new HashMap<>();
        ledgerFile()
                .ifPresent(file -> Ledger.read(file, places.keySet(), entry -> {
                    Integer place = places.get(entry.id().key());
                    LedgerEntry.Answered answered = entry.answered();
                    if (place != null && answered != null && !answered.damaged()) {
                        scores.put(place, answered.total());
                    }
                }));
        return new RoundView(
                RoundSummary.of(round),
                sketch.ids(),
                sketch.lengths(),
                round.chosen(),
                round.picked().weights(),
                round.picked().predicted(),
                round.abandoned(),
                scores,
                estimates,
                sketch.map());
    }

    private Optional<LedgerLocation> ledgerFile() {
        return ledger.filter(Files::exists).map(LedgerLocation.InFile::new);
    }

    private SqliteDatabase database() {
        return AdviserTables.in(rounds);
    }

    private RoundTable table() {
        return new RoundTable(database().now());
    }

    private <T> T read(Reading<T> reading) {
        SqliteDatabase database = database();
        try (Connection connection = database.connectToRead(LIMIT)) {
            connection.setAutoCommit(false);
            AdviserTables.CURRENT.requireReadable(connection, database, OLDEST_READABLE);
            for (String table : AdviserTables.NAMES) {
                requireTable(connection, database, table);
            }
            T result = reading.from(connection);
            connection.rollback();
            return result;
        } catch (SQLException e) {
            throw database.error("read", e);
        } catch (IllegalArgumentException
                | IndexOutOfBoundsException
                | NegativeArraySizeException
                | NoSuchElementException
                | NullPointerException e) {
            throw new UserException(rounds + " is damaged: what it has of a round does not fit together", e);
        }
    }

    /** A view of the same name could have rows without end. */
    private static void requireTable(Connection connection, SqliteDatabase database, String table) throws SQLException {
        try (PreparedStatement tables = connection.prepareStatement(database.countTablesQuery())) {
            tables.setString(1, table);
            try (ResultSet rows = tables.executeQuery()) {
                rows.next();
                if (rows.getInt(1) == 0) {
                    throw new UserException(
                            database.name() + " is not the database of an adviser: " + table + " is not a table");
                }
            }
        }
    }
}
