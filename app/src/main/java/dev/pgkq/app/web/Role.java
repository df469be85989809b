package dev.pgkq.app.web;

import java.util.Locale;

/** What somebody may do. Each may do what those before may. */
public enum Role {
    /** See the login page. */
    NONE,
    /** See runs. */
    VIEWER,
    /** Rate episodes. */
    RATER;

    /** As it is told to pages. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
