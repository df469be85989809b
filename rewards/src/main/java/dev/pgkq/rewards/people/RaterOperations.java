package dev.pgkq.rewards.people;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What a rater does with the queue, within a transaction of the caller. */
final class RaterOperations {
    private final Connection connection;
    private final PeopleSettings settings;
    private final String rater;
    private final long now;

    RaterOperations(Connection connection, PeopleSettings settings, RaterName rater, long now) throws SQLException {
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

    /** The item that is leased to the rater, or the next available one. */
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
        lease(found.getFirst().key());
        return Optional.of(found.getFirst());
    }

    /** Why there is nothing to do for this rater. */
    String whyNothing() throws SQLException {
        long missing =
                Sql.number(connection, "SELECT count(*) FROM pgkq_open_item WHERE ratings < ?", settings.raters());
        if (missing == 0) {
            return TrainerOperations.open(connection).isEmpty()
                    ? "no episode is waiting for a rating; training is running"
                    : "everything is rated; the iteration is about to close";
        }
        long leased = Sql.number(
                connection,
                "SELECT count(*) FROM pgkq_open_item i WHERE i.ratings < ?"
                        + " AND EXISTS (SELECT 1 FROM pgkq_lease l WHERE l.item = i.key AND l.until > ?)",
                settings.raters(),
                now);
        return leased > 0
                ? "other raters are rating the remaining episodes"
                : "you have rated everything; " + missing + " more ratings by other people are needed";
    }

    /**
     * Leases an item. A rater has one item at a time; an expired lease is kept until the rater gets another item, to show what the
     * rater had.
     */
    private void lease(String item) throws SQLException {
        Sql.change(connection, "DELETE FROM pgkq_lease WHERE rater = ? AND item <> ?", rater, item);
        Sql.change(
                connection,
                "INSERT INTO pgkq_lease (item, rater, until) VALUES (?, ?, ?)"
                        + " ON CONFLICT (item, rater) DO UPDATE SET until = excluded.until",
                item,
                rater,
                now + settings.lease().toMillis());
    }

    /** Renews a lease, also an expired one if nobody else has taken the item. */
    void renew(String key) throws SQLException {
        Item item = open(key);
        if (!ownRatings(key).isEmpty()) {
            return; // it has been rated, and needs no lease
        }
        requireFree(item);
        if (Sql.number(connection, "SELECT count(*) FROM pgkq_lease WHERE item = ? AND rater = ?", key, rater) == 0) {
            throw new RatingRefused("this episode was not assigned to you; continue with the next one");
        }
        lease(key);
    }

    /** Records a rating. */
    void rate(String key, double value) throws SQLException {
        List<Double> before = ownRatings(key);
        if (!before.isEmpty() && before.getFirst() == value) {
            return; // a repetition: the first response was lost
        }
        Item item = open(key);
        requireFree(item);
        if (!before.isEmpty()) {
            throw new RatingRefused("you have already rated this episode; undo that first");
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

    private List<Double> ownRatings(String key) throws SQLException {
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
                            ? "this rating was never requested"
                            : "this rating is no longer needed: its iteration is closed");
        }
        return found.getFirst();
    }

    /** Checks that the item needs another rating beside those that exist or are leased. */
    private void requireFree(Item item) throws SQLException {
        if (!ownRatings(item.key()).isEmpty()) {
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
                    "your time for this episode ran out, and it was assigned to another rater; continue with the next one");
        }
    }

    /** Takes back the rater's last rating, and leases the item to the rater again. */
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
                            ? "you have no rating to take back"
                            : "there is nothing to take back: the iteration is closed, and its ratings are in use");
        }
        String key = found.getFirst().key();
        Sql.change(
                connection,
                "UPDATE pgkq_rating SET withdrawn = ? WHERE item = ? AND rater = ? AND withdrawn IS NULL",
                now,
                key,
                rater);
        // The item shown meanwhile becomes available to others.
        lease(key);
        return found.getFirst();
    }

    /** Returns an item to the queue; this rater is shown it again when nothing else is left. */
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
