package dev.pgkq.rewards.people;

import dev.pgkq.rewards.database.Session;
import dev.pgkq.rewards.database.SqliteDatabase;
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
 * Episodes that wait for people's opinions: {@code people.db} in a run directory. Training posts questions and closes them; a
 * server, of the same process or another, hands them to raters. Either may be killed at any time. What a method has changed is on
 * the disk when it returns. To post, close, renew, skip, or give the same rating twice is as good as once, so that a request whose
 * answer was lost can be sent again; {@link #undo} takes back one more each time.
 *
 * <p>A rater has one item at a time, with a lease: while the rater's page is open it is renewed, and afterwards the item is free
 * for others. An item is never with more raters than it still needs, and one rater never judges it twice.
 *
 * <p>The questions that are open close together, in one transaction: when all items have their ratings and nothing was changed for
 * the grace time. Until then ratings can be taken back; after it they cannot.
 *
 * <p>Threads may share one. Every method throws a {@link dev.pgkq.text.UserException} where the file fails.
 */
public final class PeopleQueue implements AutoCloseable {
    /** Who was heard of since then counts as being here. */
    private static final Duration PRESENT = Duration.ofMinutes(2);

    private final Session session;
    private final InstantSource clock;

    private PeopleQueue(Session session, InstantSource clock) {
        this.session = session;
        this.clock = clock;
    }

    /** The file of a run directory. */
    public static Path file(Path runDirectory) {
        return runDirectory.resolve("people.db");
    }

    /** For training: opens the queue of a run, or makes it. */
    public static PeopleQueue open(Path runDirectory, PeopleSettings settings, InstantSource clock) {
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

    /** For a server, when somebody rates: the queue of a run, if people are asked there. */
    public static Optional<PeopleQueue> existing(Path runDirectory, InstantSource clock) {
        if (!Files.exists(file(runDirectory))) {
            return Optional.empty();
        }
        Session session = session(runDirectory);
        boolean begun = false;
        try {
            begun = session.use("read", connection -> !values(connection).isEmpty());
            return begun ? Optional.of(new PeopleQueue(session, clock)) : Optional.empty();
        } finally {
            if (!begun) {
                session.close();
            }
        }
    }

    /**
     * For those who only look: how the queue of a run stands, if people are asked there. Nothing is made, changed or locked, so
     * nobody who writes holds this up.
     */
    public static Optional<QueueStatus> look(Path runDirectory, InstantSource clock) {
        if (!Files.exists(file(runDirectory))) {
            return Optional.empty();
        }
        SqliteDatabase database = PeopleTables.in(file(runDirectory));
        try (Connection connection = database.connectToRead()) {
            if (Sql.number(connection, database.tablesNamed(), PeopleTables.CURRENT.table()) == 0) {
                return Optional.empty(); // it is being made
            }
            PeopleTables.CURRENT.requireUpToDate(connection, database);
            return values(connection).isEmpty() ? Optional.empty() : Optional.of(status(connection, clock.millis()));
        } catch (SQLException e) {
            throw database.trouble("read", e);
        }
    }

    private static Session session(Path runDirectory) {
        return Session.open(PeopleTables.in(file(runDirectory)), PeopleTables.CURRENT, Session.USUAL_PATIENCE);
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
                Duration.parse(values.getOrDefault("lease", PeopleSettings.USUAL_LEASE.toString())),
                timeout.isEmpty() ? Optional.empty() : Optional.of(Duration.parse(timeout)));
    }

    /** How people are asked. */
    public PeopleSettings settings() {
        return session.use("read", PeopleQueue::settings);
    }

    /** Tells this queue from all others, for as long as it exists. */
    public String id() {
        return session.use("read", connection -> values(connection).getOrDefault("id", ""));
    }

    /**
     * Asks for episodes' rewards. What was judged already is not asked again.
     *
     * @param all whether these are all that is wanted: others that are open are withdrawn then, until they are posted again
     */
    public void post(Collection<Question> questions, boolean all) {
        session.transact("ask for ratings in", connection -> {
            Asking.post(connection, settings(connection).rating(), questions, all, now());
            return true;
        });
    }

    /**
     * Closes what is open, if it is time.
     *
     * @return whether it was
     */
    public boolean closeIfDue() {
        if (!session.use("read", this::isDue)) {
            return false;
        }
        // Somebody may have taken a rating back since: what counts is how it is within the transaction.
        return session.transact("close an iteration in", connection -> {
            boolean due = isDue(connection);
            if (due) {
                Asking.close(connection, settings(connection).rating(), now());
            }
            return due;
        });
    }

    private boolean isDue(Connection connection) throws SQLException {
        PeopleSettings settings = settings(connection);
        return !Asking.open(connection).isEmpty()
                && Asking.progress(connection, settings.raters()).isDue(settings, now());
    }

    /** What became of a question. */
    sealed interface Outcome {
        /** Judged. */
        record Judged(Judgement judgement) implements Outcome {}

        /** Nobody judged it in time. */
        record Expired() implements Outcome {}
    }

    /** What became of some questions; those that are still open are not in it. */
    Map<String, Outcome> outcomes(Collection<String> keys) {
        return session.use("read", connection -> {
            Map<String, Outcome> outcomes = new LinkedHashMap<>();
            for (String key : keys) {
                for (Outcome outcome : Sql.list(
                        connection,
                        row -> row.getString("state").equals("closed")
                                ? new Outcome.Judged(Asking.judgement(row))
                                : new Outcome.Expired(),
                        "SELECT state, value, error, note FROM pgkq_question WHERE key = ? AND state IN ('closed', 'expired')",
                        key)) {
                    outcomes.put(key, outcome);
                }
            }
            return outcomes;
        });
    }

    /** How the queue stands. */
    public QueueStatus status() {
        return session.use("read", connection -> status(connection, now()));
    }

    private static QueueStatus status(Connection connection, long now) throws SQLException {
        PeopleSettings settings = settings(connection);
        int episodes = Asking.open(connection).size();
        Asking.Progress progress = Asking.progress(connection, settings.raters());
        List<QueueStatus.Rater> raters = Sql.list(
                connection,
                row -> new QueueStatus.Rater(row.getString(1), row.getInt(2)),
                "SELECT p.name, (SELECT count(*) FROM pgkq_rating r JOIN pgkq_open_item i ON i.key = r.item"
                        + " WHERE r.rater = p.name AND r.withdrawn IS NULL) FROM pgkq_rater p WHERE p.seen > ? ORDER BY p.name",
                now - PRESENT.toMillis());
        List<QueueStatus.Result> latest = Sql.list(
                connection,
                row -> new QueueStatus.Result(
                        new Item.Place(row.getInt("iteration"), row.getInt("episode")), Asking.judgement(row)),
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

    /** What a rater gets who asks for something to do. */
    public sealed interface Next {
        /** An item, and for how long it is kept. */
        record Show(Item item, Duration lease) implements Next {}

        /** Nothing at the moment, and why. */
        record Wait(String why) implements Next {}
    }

    /** The item that a rater has, or another that is free. */
    public Next next(RaterName rater) {
        return asRater("lease an episode from", rater, (desk, settings) -> {
            Optional<Item> item = desk.next();
            return item.isPresent() ? new Next.Show(item.get(), settings.lease()) : new Next.Wait(desk.whyNothing());
        });
    }

    /**
     * Keeps an item for a rater who is looking at it.
     *
     * @return for how long
     * @throws RatingRefused if another rater has it, or this one never did
     */
    public Duration renew(RaterName rater, String item) {
        return asRater("renew a lease in", rater, (desk, settings) -> {
            desk.renew(item);
            return settings.lease();
        });
    }

    /**
     * An episode was rated.
     *
     * @throws RatingRefused if that is no number of the scale, or the item is not this rater's to judge
     */
    public void rate(RaterName rater, String item, double value) {
        asRater("record a rating in", rater, (desk, settings) -> {
            if (settings.rating() != Rating.SCALE) {
                throw new RatingRefused("two episodes are compared here, and none is given a number");
            }
            if (!settings.scale().has(value)) {
                throw new RatingRefused("a rating is a whole number from "
                        + settings.scale().low() + " to " + settings.scale().high());
            }
            desk.rate(item, value);
            return true;
        });
    }

    /** Which of two is better. */
    public enum Winner {
        A(1),
        TIE(0.5),
        B(0);

        final double outcome;

        Winner(double outcome) {
            this.outcome = outcome;
        }
    }

    /**
     * Two episodes were compared.
     *
     * @throws RatingRefused if the item is not this rater's to judge
     */
    public void compare(RaterName rater, String item, Winner winner) {
        asRater("record a comparison in", rater, (desk, settings) -> {
            if (settings.rating() != Rating.COMPARE) {
                throw new RatingRefused("an episode is given a number here, and nothing is compared");
            }
            desk.rate(item, winner.outcome);
            return true;
        });
    }

    /**
     * Takes back a rater's last rating.
     *
     * @return what is the rater's to judge again
     * @throws RatingRefused if there is none in the open iteration
     */
    public Next.Show undo(RaterName rater) {
        return asRater(
                "take a rating back in", rater, (desk, settings) -> new Next.Show(desk.undo(), settings.lease()));
    }

    /** Puts an item back, for others or for later. */
    public void skip(RaterName rater, String item) {
        asRater("skip an episode in", rater, (desk, settings) -> {
            desk.skip(item);
            return true;
        });
    }

    @FunctionalInterface
    private interface Deed<T> {
        T by(RaterDesk desk, PeopleSettings settings) throws SQLException;
    }

    private <T> T asRater(String doing, RaterName rater, Deed<T> deed) {
        return session.transact(doing, connection -> {
            PeopleSettings settings = settings(connection);
            return deed.by(new RaterDesk(connection, settings, rater, now()), settings);
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
