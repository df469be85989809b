package dev.pgkq.rewards.people;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * What a rater is shown: an episode, or two episodes to compare.
 *
 * @param key identifies the item
 * @param first the episode, or the one labelled A
 * @param second the episode labelled B, if two are compared
 * @param ratings number of people who have rated it
 */
public record Item(String key, Place first, Optional<Place> second, int ratings) {
    /** Iteration and index of an episode. */
    public record Place(int iteration, int episode) {}

    /** Reads a row of {@code pgkq_open_item}. */
    static Item of(ResultSet row) throws SQLException {
        Optional<Place> second = row.getString("second").isEmpty()
                ? Optional.empty()
                : Optional.of(new Place(row.getInt("second_iteration"), row.getInt("second_episode")));
        return new Item(
                row.getString("key"),
                new Place(row.getInt("first_iteration"), row.getInt("first_episode")),
                second,
                row.getInt("ratings"));
    }
}
