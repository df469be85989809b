package dev.pgkq.app.web;

/**
 * Who a request is from.
 *
 * @param session known by the browser's cookie; empty if it has none
 * @param name what a rater calls himself; empty if he did not say
 */
public record Visitor(String session, Role role, String name) {
    /** The longest name somebody can give. */
    static final int LONGEST_NAME = 40;

    static final Visitor NOBODY = new Visitor("", Role.NONE, "");

    Visitor named(String other) {
        return new Visitor(session, role, checked(other));
    }

    private static String checked(String name) {
        String stripped = name.strip();
        if (stripped.isEmpty()
                || stripped.codePointCount(0, stripped.length()) > LONGEST_NAME
                || stripped.chars().anyMatch(Character::isISOControl)) {
            throw HttpTrouble.badRequest("a name has 1 to " + LONGEST_NAME + " characters, on one line");
        }
        return stripped;
    }
}
