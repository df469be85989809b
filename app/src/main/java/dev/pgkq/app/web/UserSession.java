package dev.pgkq.app.web;

import dev.pgkq.rewards.people.RaterName;
import dev.pgkq.rewards.people.RatingRefused;

/**
 * The user behind a request.
 *
 * @param id from the browser's cookie; empty if there is none
 * @param name the name that a rater entered; empty if none
 */
public record UserSession(String id, Role role, String name) {
    static final UserSession ANONYMOUS = new UserSession("", Role.NONE, "");

    /** @throws HttpError if the name is not a valid rater name */
    UserSession withName(String other) {
        return new UserSession(id, role, checked(other));
    }

    private static String checked(String name) {
        try {
            return new RaterName(name).text();
        } catch (RatingRefused e) {
            throw HttpError.badRequest(e.getMessage());
        }
    }
}
