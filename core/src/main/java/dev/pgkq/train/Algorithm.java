package dev.pgkq.train;

import dev.pgkq.text.Excerpt;
import dev.pgkq.text.NearestNames;
import dev.pgkq.text.UserException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A base and a variant: {@code ppo-large} is PPO on the large batch. */
public record Algorithm(Base base, Variant variant) implements Serializable {

    public static List<Algorithm> all() {
        List<Algorithm> algorithms = new ArrayList<>();
        for (Base base : Base.values()) {
            for (Variant variant : Variant.values()) {
                algorithms.add(new Algorithm(base, variant));
            }
        }
        return algorithms;
    }

    public static List<String> ids() {
        return all().stream().map(Algorithm::id).toList();
    }

    public String id() {
        return base.name().toLowerCase(Locale.ROOT) + variant.suffix();
    }

    /**
     * The algorithm of that name.
     *
     * @throws UserException with the nearest names, when there is none
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
