package dev.pgkq.rewards.people;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What a rater does with the queue, within a transaction of its caller's. */
final class RaterDesk {
    private final Connection connection;
    private final PeopleSettings settings;
    private final String rater;
    private final long now;

    RaterDesk(Connection connection, PeopleSettings settings, RaterName rater, long now) throws SQLException {
        this.connection = connection;
        this.settings = settings;
        this.rater = rater.text();
        this.now = now;
        Sql.change(
                connection,
                "INSERT INTO pgkq_rater (name, seen) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seen = excluded.seen",
                this.rater,
                now);
    }

    /** The item that the rater has, or the next that is free. */
    Optional<Item> next() throws SQLException {
        List<Item> found = Sql.list(
                connection,
                Item::of,
                "SELECT i.* FROM pgkq_open_item i JOIN pgkq_lease l ON l.item = i.key AND l.rater = ? AND l.until > ?"
                        + " WHERE NOT EXISTS (SELECT 1 FROM pgkq_rating r"
                        + " WHERE r.item = i.key AND r.rater = l.rater AND r.withdrawn IS NULL) ORDER BY i.place LIMIT 1",
                rater,
                now);
        if (found.isEmpty()) {
            found = Sql.list(
                    connection,
                    Item::of,
                    "SELECT i.* FROM pgkq_open_item i LEFT JOIN pgkq_skip s ON s.item = i.key AND s.rater = ?"
                            + " WHERE i.ratings + (SELECT count(*) FROM pgkq_lease l WHERE l.item = i.key AND l.until > ?) < ?"
                            + " AND NOT EXISTS (SELECT 1 FROM pgkq_rating r"
                            + " WHERE r.item = i.key AND r.rater = ? AND r.withdrawn IS NULL)"
                            + " ORDER BY coalesce(s.at, 0), i.ratings, i.place LIMIT 1",
                    rater,
                    now,
                    settings.raters(),
                    rater);
        }
        if (found.isEmpty()) {
            return Optional.empty();
        }
        keep(found.getFirst().key());
        return Optional.of(found.getFirst());
    }

    /** Why there is nothing to do for this rater, in words. */
    String whyNothing() throws SQLException {
        long missing =
                Sql.number(connection, "SELECT count(*) FROM pgkq_open_item WHERE ratings < ?", settings.raters());
        if (missing == 0) {
            return Asking.open(connection).isEmpty()
                    ? "nothing waits for a rating: training is at work"
                    : "all is rated; the iteration is about to close";
        }
        long leased = Sql.number(
                connection,
                "SELECT count(*) FROM pgkq_open_item i WHERE i.ratings < ?"
                        + " AND EXISTS (SELECT 1 FROM pgkq_lease l WHERE l.item = i.key AND l.until > ?)",
                settings.raters(),
                now);
        return leased > 0
                ? "other raters are looking at what is left"
                : "you have rated everything; " + missing + " more ratings by other people are needed";
    }

    /**
     * A rater has one item at a time. A lease that has run out stays until the rater has another: it tells what was the rater's.
     */
    private void keep(String item) throws SQLException {
        Sql.change(connection, "DELETE FROM pgkq_lease WHERE rater = ? AND item <> ?", rater, item);
        Sql.change(
                connection,
                "INSERT INTO pgkq_lease (item, rater, until) VALUES (?, ?, ?)"
                        + " ON CONFLICT (item, rater) DO UPDATE SET until = excluded.until",
                item,
                rater,
                now + settings.lease().toMillis());
    }

    /** Keeps an item for another while; one whose lease ran out and that nobody took is the rater's again. */
    void renew(String key) throws SQLException {
        Item item = open(key);
        if (!mine(key).isEmpty()) {
            return; // it was rated since, and needs no lease
        }
        requireFree(item);
        if (Sql.number(connection, "SELECT count(*) FROM pgkq_lease WHERE item = ? AND rater = ?", key, rater) == 0) {
            throw new RatingRefused("this one was not given to you; go on with the next");
        }
        keep(key);
    }

    void rate(String key, double value) throws SQLException {
        List<Double> before = mine(key);
        if (!before.isEmpty() && before.getFirst() == value) {
            return; // the answer to the first time was lost on its way
        }
        Item item = open(key);
        requireFree(item);
        if (!before.isEmpty()) {
            throw new RatingRefused("you have rated this already; undo that first");
        }
        Sql.change(
                connection,
                "INSERT INTO pgkq_rating (item, rater, value, at) VALUES (?, ?, ?, ?)",
                key,
                rater,
                value,
                now);
        Sql.change(connection, "DELETE FROM pgkq_lease WHERE item = ? AND rater = ?", key, rater);
    }

    private List<Double> mine(String key) throws SQLException {
        return Sql.list(
                connection,
                row -> row.getDouble(1),
                "SELECT value FROM pgkq_rating WHERE item = ? AND rater = ? AND withdrawn IS NULL",
                key,
                rater);
    }

    private Item open(String key) throws SQLException {
        List<Item> found = Sql.list(connection, Item::of, "SELECT * FROM pgkq_open_item WHERE key = ?", key);
        if (found.isEmpty()) {
            throw new RatingRefused(
                    Sql.number(connection, "SELECT count(*) FROM pgkq_item WHERE key = ?", key) == 0
                            ? "nobody asks for this rating"
                            : "this is not asked for any more: its iteration is closed");
        }
        return found.getFirst();
    }

    /** There must be room for this rater beside those who have judged it or are about to. */
    private void requireFree(Item item) throws SQLException {
        if (!mine(item.key()).isEmpty()) {
            return;
        }
        long others = Sql.number(
                connection,
                "SELECT count(*) FROM pgkq_lease WHERE item = ? AND rater <> ? AND until > ?",
                item.key(),
                rater,
                now);
        if (item.ratings() + others >= settings.raters()) {
            throw new RatingRefused(
                    "your time for this one ran out, and it went to another rater; go on with the next");
        }
    }

    /** Takes back the rater's last rating; it is the rater's to judge again. */
    Item undo() throws SQLException {
        List<Item> found = Sql.list(
                connection,
                Item::of,
                "SELECT i.* FROM pgkq_open_item i JOIN pgkq_rating r ON r.item = i.key"
                        + " WHERE r.rater = ? AND r.withdrawn IS NULL ORDER BY r.id DESC LIMIT 1",
                rater);
        if (found.isEmpty()) {
            throw new RatingRefused(
                    Sql.number(connection, "SELECT count(*) FROM pgkq_rating WHERE rater = ?", rater) == 0
                            ? "there is no rating of yours to take back"
                            : "there is nothing to take back: the iteration is closed, and what was rated in it is in use");
        }
        String key = found.getFirst().key();
        Sql.change(
                connection,
                "UPDATE pgkq_rating SET withdrawn = ? WHERE item = ? AND rater = ? AND withdrawn IS NULL",
                now,
                key,
                rater);
        // What was shown meanwhile is free for others.
        keep(key);
        return found.getFirst();
    }

    /** Puts an item back, to be shown to this rater when nothing else is left. */
    void skip(String key) throws SQLException {
        open(key);
        Sql.change(
                connection,
                "INSERT INTO pgkq_skip (item, rater, at) VALUES (?, ?, ?)"
                        + " ON CONFLICT (item, rater) DO UPDATE SET at = excluded.at",
                key,
                rater,
                now);
        Sql.change(connection, "DELETE FROM pgkq_lease WHERE item = ? AND rater = ?", key, rater);
    }
}
