package dev.pgkq.train;

import dev.pgkq.text.Excerpt;
import dev.pgkq.text.NearestNames;
import dev.pgkq.text.UserException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A training algorithm: {@code ppo-large} is PPO on the large batch.
 *
 * @param base the policy gradient method
 * @param variant how it saves evaluations of rewards
 */
public record Algorithm(Base base, Variant variant) implements Serializable {

    /** {@return all algorithms: every base with every variant} */
    public static List<Algorithm> all() {
        List<Algorithm> algorithms = new ArrayList<>();
        for (Base base : Base.values()) {
            for (Variant variant : Variant.values()) {
                algorithms.add(new Algorithm(base, variant));
            }
        }
        return algorithms;
    }

    /** {@return the names of all algorithms, in the order of {@link #all}} */
    public static List<String> ids() {
        return all().stream().map(Algorithm::id).toList();
    }

    /** {@return its name, such as {@code ppo-kq-plus}} */
    public String id() {
        return base.name().toLowerCase(Locale.ROOT) + variant.suffix();
    }

    /**
     * {@return the algorithm of that name}
     *
     * @param id the exact name, such as {@code ppo-kq-plus}
     * @throws UserException if there is none; the message suggests the nearest names
     */
    public static Algorithm named(String id) {
        for (Algorithm algorithm : all()) {
            if (algorithm.id().equals(id)) {
                return algorithm;
            }
        }
        throw new UserException("unknown algorithm '" + Excerpt.first(id) + "'" + NearestNames.hint(id, ids()));
    }
}
