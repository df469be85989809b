package dev.pgkq.gym;

import dev.pgkq.env.Outcome;
import dev.pgkq.env.Playback;
import dev.pgkq.env.Recorder;
import dev.pgkq.env.Recording;
import dev.pgkq.gym.PythonException.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Plays episodes again in a process of its own, whose environment draws pictures if it can. */
final class PythonRecorder implements Recorder {
    private static final int[] SLOT = {0};

    private final String name;
    private final PythonSimulators simulators;
    private final float[] observation;

    PythonRecorder(String name, PythonSimulators simulators) {
        this.name = name;
        this.simulators = simulators;
        this.observation = new float[simulators.spec().observationSize()];
    }

    @Override
    public Recording record(Playback episode, Recording.Options options) {
        List<String> infos = new ArrayList<>();
        List<Recording.Frame> frames = new ArrayList<>();
        double perSecond = 0;
        int size = simulators.spec().actionSize();
        simulators.reset(SLOT, new long[] {episode.seed()});
        Outcome outcome = Outcome.CONTINUES;
        for (int t = 0; t <= episode.length(); t++) {
            if (t > 0) {
                float[] action = Arrays.copyOfRange(episode.actions(), (t - 1) * size, t * size);
                outcome = simulators.step(SLOT, action)[0];
            }
            requireSame(episode, t, outcome);
            boolean shows = options.wantsFrame(t, episode.length());
            if (options.infos() || shows) {
                ByteBuffer seen = simulators.look(0, options.infos(), shows);
                perSecond = seen.getDouble();
                byte[] info = new byte[seen.getInt()];
                seen.get(info);
                if (options.infos()) {
                    infos.add(new String(info, StandardCharsets.UTF_8));
                }
                if (seen.hasRemaining()) {
                    byte[] png = new byte[seen.remaining()];
                    seen.get(png);
                    frames.add(new Recording.Frame(t, png));
                }
            }
        }
        return new Recording(infos, frames, perSecond);
    }

    /** The observation after the last step has no checksum. */
    private void requireSame(Playback episode, int step, Outcome outcome) {
        if (step == episode.length()) {
            return;
        }
        simulators.observation(0, observation);
        boolean isSame = episode.checks()[step] == Playback.check(observation, 0, observation.length);
        if (isSame && outcome == Outcome.CONTINUES) {
            return;
        }
        throw new PythonException(
                Problem.FAILURE,
                name + ": an episode played again from its seed and actions "
                        + (isSame ? "ended after step " + step : "gave another observation")
                        + (isSame
                                ? ", not after step " + episode.length()
                                : step == 0 ? " after reset" : " after step " + step)
                        + ". Infos and frames are recorded by playing episodes again, so the environment must draw all its"
                        + " random numbers from the seed given to reset");
    }

    @Override
    public void close() {
        simulators.close();
    }
}
