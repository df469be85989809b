package dev.pgkq.rewards.people;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * What a rater is shown: an episode, or two to compare.
 *
 * @param key what it is known by
 * @param first the episode, or the one that is called A
 * @param second the one that is called B
 * @param ratings how many people have judged it
 */
public record Item(String key, Place first, Optional<Place> second, int ratings) {
    /** Where an episode is found. */
    public record Place(int iteration, int episode) {}

    /** From a row of {@code pgkq_open_item}. */
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
