package dev.pgkq.env;

import java.io.Serializable;
import java.util.List;

/**
 * What an environment says and shows about an episode besides its observations.
 *
 * @param infos what the environment says after the reset and after each step, T + 1 JSON objects; empty if not wanted
 * @param frames pictures, in the order of their steps; empty if not wanted or if the environment draws none
 * @param framesPerSecond how many steps pass in a second of real time; 0 if unknown
 */
public record Recording(List<String> infos, List<Frame> frames, double framesPerSecond) implements Serializable {
    /** Nothing but the episode itself. */
    public static final Recording NOTHING = new Recording(List.of(), List.of(), 0);

    /** Copies the lists. */
    public Recording {
        infos = List.copyOf(infos);
        frames = List.copyOf(frames);
    }

    /**
     * A picture.
     *
     * @param step how many steps had been taken, from 0 to T
     * @param png the picture as a PNG file
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Frame(int step, byte[] png) implements Serializable {}

    /**
     * What to record.
     *
     * @param infos whether to record what the environment says
     * @param frames the most pictures of an episode, evenly spaced from its start to its end; 0 for none
     */
    public record Options(boolean infos, int frames) {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Options {
            if (frames < 0) {
                throw new IllegalArgumentException("frames must not be negative, got " + frames);
            }
        }

        /** {@return whether anything is to be recorded} */
        public boolean wantsAnything() {
            return infos || frames > 0;
        }

        /**
         * {@return whether there is to be a picture after so many steps}
         *
         * @param step the number of steps, from 0 to {@code length}
         * @param length T, the number of steps of the episode
         */
        public boolean wantsFrame(int step, int length) {
            if (frames > length || frames == 0) {
                return frames > 0;
            }
            if (frames == 1) {
                return step == length;
            }
            // one of the numbers round(i T / (frames − 1)) is this step
            long gaps = frames - 1;
            long nearest = Math.round((double) step * gaps / length);
            return Math.round((double) nearest * length / gaps) == step;
        }
    }
}
