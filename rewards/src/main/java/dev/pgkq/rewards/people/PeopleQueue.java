package dev.pgkq.rewards.people;

import dev.pgkq.rewards.database.Patience;
import dev.pgkq.rewards.database.Session;
import dev.pgkq.rewards.database.SqliteDatabase;
import dev.pgkq.rewards.files.PrivateFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The queue of episodes that wait for ratings by people: {@code people.db} in a run directory. Training posts questions and closes
 * them; a server, in the same process or another, presents them to raters. Either may be killed at any time. Changes are on disk
 * when a method returns. Posting, closing, renewing, skipping and giving the same rating are idempotent, so a request whose response
 * was lost can be sent again; {@link #undo} takes back one more rating each time.
 *
 * <p>A rater has one item at a time, with a lease that is renewed while the rater's page is open; afterwards the item is available
 * to others. An item is never leased to more raters than it still needs, and nobody rates it twice.
 *
 * <p>All open questions close together, in one transaction, when all items have their ratings and nothing has changed for the grace
 * time. Until then ratings can be taken back.
 *
 * <p>The queue is thread-safe. Every method throws a {@link dev.pgkq.text.UserException} if the file cannot be read or written.
 */
public final class PeopleQueue implements AutoCloseable {
    /** A rater who was active within this time counts as present. */
    private static final Duration PRESENT = Duration.ofMinutes(2);

    private static final Duration READING_LIMIT = Duration.ofSeconds(10);

    private final Session session;
    private final InstantSource clock;

    private PeopleQueue(Session session, InstantSource clock) {
        this.session = session;
        this.clock = clock;
    }

    /** The file of the queue in a run directory. */
    public static Path file(Path runDirectory) {
        return runDirectory.resolve("people.db");
    }

    /**
     * Opens the queue of a run for training, and creates it if it does not exist. Only its owner can read it, because it has the
     * names of the raters; SQLite gives its other files the same permissions.
     */
    public static PeopleQueue open(Path runDirectory, PeopleSettings settings, InstantSource clock) {
        PrivateFiles.createEmpty(file(runDirectory));
        Session session = session(runDirectory);
        try {
            session.transact("open", connection -> {
                write(connection, settings);
                return true;
            });
            return new PeopleQueue(session, clock);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** Opens the queue of a run for a server; empty if the run does not ask people. */
    public static Optional<PeopleQueue> openExisting(Path runDirectory, InstantSource clock) {
        if (!Files.exists(file(runDirectory))) {
            return Optional.empty();
        }
        Session session = session(runDirectory);
        boolean exists = false;
        try {
            exists = session.use("read", connection -> !values(connection).isEmpty());
            return exists ? Optional.of(new PeopleQueue(session, clock)) : Optional.empty();
        } finally {
            if (!exists) {
                session.close();
            }
        }
    }

    /**
     * Reads the status of a run's queue; empty if the run does not ask people. Nothing is created, changed or locked, so this never
     * waits for writers.
     */
    public static Optional<QueueStatus> readStatus(Path runDirectory, InstantSource clock) {
        if (!Files.exists(file(runDirectory))) {
            return Optional.empty();
        }
        SqliteDatabase database = PeopleTables.in(file(runDirectory));
        try (Connection connection = database.connectToRead(READING_LIMIT)) {
            if (Sql.number(connection, database.countTablesQuery(), PeopleTables.CURRENT.table()) == 0) {
                return Optional.empty(); // it is being created
            }
            PeopleTables.CURRENT.requireReadable(connection, database, PeopleTables.CURRENT.newest());
            return values(connection).isEmpty() ? Optional.empty() : Optional.of(status(connection, clock.millis()));
        } catch (SQLException e) {
            throw database.error("read", e);
        }
    }

    private static Session session(Path runDirectory) {
        return Session.open(PeopleTables.in(file(runDirectory)), PeopleTables.CURRENT, Patience.DEFAULT);
    }

    private static void write(Connection connection, PeopleSettings settings) throws SQLException {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("rating", settings.rating().name().toLowerCase(Locale.ROOT));
        values.put("scale", settings.scale().text());
        values.put("raters", Integer.toString(settings.raters()));
        values.put("grace", settings.grace().toString());
        values.put("lease", settings.lease().toString());
        values.put("timeout", settings.timeout().map(Duration::toString).orElse(""));
        for (Map.Entry<String, String> value : values.entrySet()) {
            Sql.change(
                    connection,
                    "INSERT INTO pgkq_people_setting (name, value) VALUES (?, ?)"
                            + " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                    value.getKey(),
                    value.getValue());
        }
        Sql.change(
                connection,
                "INSERT INTO pgkq_people_setting (name, value) VALUES ('id', ?) ON CONFLICT (name) DO NOTHING",
                UUID.randomUUID().toString());
    }

    private static Map<String, String> values(Connection connection) throws SQLException {
        Map<String, String> values = new LinkedHashMap<>();
        for (Map.Entry<String, String> value : Sql.list(
                connection,
                row -> Map.entry(row.getString(1), row.getString(2)),
                "SELECT name, value FROM pgkq_people_setting")) {
            values.put(value.getKey(), value.getValue());
        }
        return values;
    }

    private static PeopleSettings settings(Connection connection) throws SQLException {
        Map<String, String> values = values(connection);
        String timeout = values.getOrDefault("timeout", "");
        return new PeopleSettings(
                Rating.valueOf(values.getOrDefault("rating", "scale").toUpperCase(Locale.ROOT)),
                RatingScale.parse(values.getOrDefault("scale", "0..10")),
                Integer.parseInt(values.getOrDefault("raters", "1")),
                Duration.parse(values.getOrDefault("grace", "PT10S")),
                Duration.parse(values.getOrDefault("lease", PeopleSettings.DEFAULT_LEASE.toString())),
                timeout.isEmpty() ? Optional.empty() : Optional.of(Duration.parse(timeout)));
    }

    /** The settings of the queue. */
    public PeopleSettings settings() {
        return session.use("read", PeopleQueue::settings);
    }

    /** A unique id that the queue keeps for as long as it exists. */
    public String id() {
        return session.use("read", connection -> values(connection).getOrDefault("id", ""));
    }

    /**
     * Posts questions. Those that are closed already stay closed.
     *
     * @param all whether these are all questions: other open ones are withdrawn then, until they are posted again
     */
    public void post(Collection<Question> questions, boolean all) {
        session.transact("post questions in", connection -> {
            TrainerOperations.post(connection, settings(connection).rating(), questions, all, now());
            return true;
        });
    }

    /**
     * Closes all open questions if they are due.
     *
     * @return whether they were
     */
    public boolean closeIfDue() {
        if (!session.use("read", this::isDue)) {
            return false;
        }
        // A rating may have been taken back since: check again within the transaction.
        return session.transact("close an iteration in", connection -> {
            boolean due = isDue(connection);
            if (due) {
                TrainerOperations.close(connection, settings(connection).rating(), now());
            }
            return due;
        });
    }

    private boolean isDue(Connection connection) throws SQLException {
        PeopleSettings settings = settings(connection);
        return !TrainerOperations.open(connection).isEmpty()
                && TrainerOperations.progress(connection, settings.raters()).isDue(settings, now());
    }

    /** The outcome of a question. */
    sealed interface Outcome {
        /** It was rated. */
        record Judged(Judgement judgement) implements Outcome {}

        /** Nobody rated it in time. */
        record Expired() implements Outcome {}
    }

    /** The outcomes of these questions, without those that are still open. */
    Map<String, Outcome> outcomes(Collection<String> keys) {
        return session.use("read", connection -> {
            Map<String, Outcome> outcomes = new LinkedHashMap<>();
            for (String key : keys) {
                for (Outcome outcome : Sql.list(
                        connection,
                        row -> row.getString("state").equals("closed")
                                ? new Outcome.Judged(TrainerOperations.judgement(row))
                                : new Outcome.Expired(),
                        "SELECT state, value, error, note FROM pgkq_question WHERE key = ? AND state IN ('closed', 'expired')",
                        key)) {
                    outcomes.put(key, outcome);
                }
            }
            return outcomes;
        });
    }

    /** The current status. */
    public QueueStatus status() {
        return session.use("read", connection -> status(connection, now()));
    }

    private static QueueStatus status(Connection connection, long now) throws SQLException {
        PeopleSettings settings = settings(connection);
        int episodes = TrainerOperations.open(connection).size();
        TrainerOperations.Progress progress = TrainerOperations.progress(connection, settings.raters());
        List<QueueStatus.Rater> raters = Sql.list(
                connection,
                row -> new QueueStatus.Rater(row.getString(1), row.getInt(2)),
                "SELECT p.name, (SELECT count(*) FROM pgkq_rating r JOIN pgkq_open_item i ON i.key = r.item"
                        + " WHERE r.rater = p.name AND r.withdrawn IS NULL) FROM pgkq_rater p WHERE p.seen > ? ORDER BY p.name",
                now - PRESENT.toMillis());
        List<QueueStatus.Result> latest = Sql.list(
                connection,
                row -> new QueueStatus.Result(
                        new Item.Place(row.getInt("iteration"), row.getInt("episode")),
                        TrainerOperations.judgement(row)),
                "SELECT iteration, episode, value, error, note FROM pgkq_question WHERE state = 'closed' AND iteration ="
                        + " (SELECT max(iteration) FROM pgkq_question WHERE state = 'closed') ORDER BY episode");
        return new QueueStatus(
                settings,
                (int) Sql.number(
                        connection,
                        "SELECT coalesce(max(CASE WHEN state = 'open' THEN iteration END), max(iteration), 0)"
                                + " FROM pgkq_question"),
                episodes,
                progress.items(),
                progress.rated(),
                episodes == 0 ? Optional.empty() : progress.closesIn(settings, now),
                raters,
                latest);
    }

    /** What a rater is to do next. */
    public sealed interface Next {
        /** Rate this item, which is leased for this time. */
        record Show(Item item, Duration lease) implements Next {}

        /** Nothing at the moment, for this reason. */
        record Wait(String why) implements Next {}
    }

    /** The item that is leased to a rater, or another available one. */
    public Next next(RaterName rater) {
        return asRater("lease an episode from", rater, (operations, settings) -> {
            Optional<Item> item = operations.next();
            return item.isPresent()
                    ? new Next.Show(item.get(), settings.lease())
                    : new Next.Wait(operations.whyNothing());
        });
    }

    /**
     * Renews the lease of an item that a rater is looking at.
     *
     * @return length of the lease
     * @throws RatingRefused if another rater has the item, or it was never leased to this one
     */
    public Duration renew(RaterName rater, String item) {
        return asRater("renew a lease in", rater, (operations, settings) -> {
            operations.renew(item);
            return settings.lease();
        });
    }

    /**
     * Records a rating.
     *
     * @throws RatingRefused if the number is not on the scale, or the item is not leased to this rater
     */
    public void rate(RaterName rater, String item, double value) {
        asRater("record a rating in", rater, (operations, settings) -> {
            if (settings.rating() != Rating.SCALE) {
                throw new RatingRefused("this run compares episodes; it does not rate them on a scale");
            }
            if (!settings.scale().has(value)) {
                throw new RatingRefused("a rating must be an integer from "
                        + settings.scale().low() + " to " + settings.scale().high());
            }
            operations.rate(item, value);
            return true;
        });
    }

    /** The outcome of a comparison. */
    public enum Winner {
        /** The first is better. */
        A(1),
        /** Both are equally good. */
        TIE(0.5),
        /** The second is better. */
        B(0);

        final double outcome;

        Winner(double outcome) {
            this.outcome = outcome;
        }
    }

    /**
     * Records a comparison.
     *
     * @throws RatingRefused if the item is not leased to this rater
     */
    public void compare(RaterName rater, String item, Winner winner) {
        asRater("record a comparison in", rater, (operations, settings) -> {
            if (settings.rating() != Rating.COMPARE) {
                throw new RatingRefused("this run rates episodes on a scale; it does not compare them");
            }
            operations.rate(item, winner.outcome);
            return true;
        });
    }

    /**
     * Takes back the last rating of a rater.
     *
     * @return the item, which is leased to the rater again
     * @throws RatingRefused if the rater has none in the open iteration
     */
    public Next.Show undo(RaterName rater) {
        return asRater(
                "take a rating back in",
                rater,
                (operations, settings) -> new Next.Show(operations.undo(), settings.lease()));
    }

    /** Returns an item to the queue, for others or for later. */
    public void skip(RaterName rater, String item) {
        asRater("skip an episode in", rater, (operations, settings) -> {
            operations.skip(item);
            return true;
        });
    }

    @FunctionalInterface
    private interface RaterAction<T> {
        T run(RaterOperations rater, PeopleSettings settings) throws SQLException;
    }

    private <T> T asRater(String doing, RaterName rater, RaterAction<T> action) {
        return session.transact(doing, connection -> {
            PeopleSettings settings = settings(connection);
            return action.run(new RaterOperations(connection, settings, rater, now()), settings);
        });
    }

    private long now() {
        return clock.millis();
    }

    @Override
    public void close() {
        session.close();
    }
}
