package dev.pgkq.mujoco;

/**
 * The MuJoCo library that this process uses.
 *
 * @param library full path, or the name that the system's loader resolved
 * @param origin how it was found
 */
public record MujocoLocation(String library, Origin origin) {

    /** How a library was found, in the order of the search. */
    public enum Origin {
        /** A path given by the user. */
        EXPLICIT("given by pgkq.mujoco or PGKQ_MUJOCO"),
        /** The search path of the system. */
        SYSTEM("installed on this system"),
        /** The user's cache. */
        CACHE("in the user's cache"),
        /** Debian's packages. */
        FETCHED("just downloaded from Debian's packages");

        private final String words;

        Origin(String words) {
            this.words = words;
        }

        /** Returns a description, such as "installed on this system". */
        public String words() {
            return words;
        }
    }
}
