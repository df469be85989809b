package dev.pgkq.app.web;

import java.util.Locale;

/** What a user may do. Each role includes the rights of the roles before it. */
public enum Role {
    /** May only see the login page. */
    NONE,
    /** May see runs. */
    VIEWER,
    /** May also rate episodes. */
    RATER;

    /** The name that the API uses. */
    String apiName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
