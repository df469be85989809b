package dev.pgkq.gradient;

import dev.pgkq.episode.Episode;
import java.util.List;

/**
 * The steps of several episodes laid end to end.
 *
 * @param starts where each episode starts, and one entry more: where the last one ends
 */
public record Samples(int[] starts, float[] observations, float[] actions, float[] logProbs) {

    public static Samples of(List<Episode> episodes) {
        int[] starts = new int[episodes.size() + 1];
        int observationValues = 0;
        int actionValues = 0;
        for (int i = 0; i < episodes.size(); i++) {
            Episode episode = episodes.get(i);
            starts[i + 1] = starts[i] + episode.length();
            observationValues += episode.observations().length;
            actionValues += episode.actions().length;
        }
        float[] observations = new float[observationValues];
        float[] actions = new float[actionValues];
        float[] logProbs = new float[starts[episodes.size()]];
        int observationAt = 0;
        int actionAt = 0;
        for (int i = 0; i < episodes.size(); i++) {
            Episode episode = episodes.get(i);
            System.arraycopy(episode.observations(), 0, observations, observationAt, episode.observations().length);
            System.arraycopy(episode.actions(), 0, actions, actionAt, episode.actions().length);
            System.arraycopy(episode.logProbs(), 0, logProbs, starts[i], episode.length());
            observationAt += episode.observations().length;
            actionAt += episode.actions().length;
        }
        return new Samples(starts, observations, actions, logProbs);
    }

    public int size() {
        return starts[starts.length - 1];
    }

    public int start(int episode) {
        return starts[episode];
    }

    public AdvantageBatch with(float[] coefficients) {
        return new AdvantageBatch(size(), observations, actions, logProbs, coefficients);
    }
}
