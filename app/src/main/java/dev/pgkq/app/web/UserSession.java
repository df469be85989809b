package dev.pgkq.app.web;

import dev.pgkq.rewards.people.RaterName;
import dev.pgkq.rewards.people.RatingRefused;

/**
 * Who a request is from.
 *
 * @param session known by the browser's cookie; empty if it has none
 * @param name what a rater calls himself; empty if he did not say
 */
public record UserSession(String session, Role role, String name) {
    static final UserSession NOBODY = new UserSession("", Role.NONE, "");

    UserSession named(String other) {
        return new UserSession(session, role, checked(other));
    }

    private static String checked(String name) {
        try {
            return new RaterName(name).text();
        } catch (RatingRefused e) {
            throw HttpError.badRequest(e.getMessage());
        }
    }
}
