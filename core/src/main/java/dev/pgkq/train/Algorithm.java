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

    /** All algorithms. */
    public static List<Algorithm> all() {
        List<Algorithm> algorithms = new ArrayList<>();
        for (Base base : Base.values()) {
            for (Variant variant : Variant.values()) {
                algorithms.add(new Algorithm(base, variant));
            }
        }
        return algorithms;
    }

    /** The names of all algorithms. */
    public static List<String> ids() {
        return all().stream().map(Algorithm::id).toList();
    }

    /** Its name: {@code ppo-kq-plus}. */
    public String id() {
        return base.name().toLowerCase(Locale.ROOT) + variant.suffix();
    }

    /**
     * The algorithm of that name.
     *
     * @throws UserException that suggests the nearest names, if there is none
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
