package dev.pgkq.mujoco;

/**
 * Which MuJoCo library this process uses.
 *
 * @param library full path, or the bare name that the system's loader resolved
 * @param origin how it was found
 */
public record MujocoLocation(String library, Origin origin) {

    /** How a library was found, in the order in which the places are looked at. */
    public enum Origin {
        EXPLICIT("given by pgkq.mujoco or PGKQ_MUJOCO"),
        SYSTEM("installed on this system"),
        CACHE("in the user's cache"),
        FETCHED("just fetched from Debian's packages");

        private final String words;

        Origin(String words) {
            this.words = words;
        }

        /** For people: "installed on this system". */
        public String words() {
            return words;
        }
    }
}
