package dev.pgkq.select;

import dev.pgkq.bayes.BatchFeatures;

/** φ of steps around a mean. Each worker has an array of its own, which it uses again. */
final class CentredFeatures implements StepUncertainty.Features {
    private final BatchFeatures features;
    private final double[] centre;
    private final float[][] ofWorker;

    /**
     * @param centre what is subtracted
     * @param workers how many workers ask
     */
    CentredFeatures(BatchFeatures features, double[] centre, int workers) {
        this.features = features;
        this.centre = centre;
        this.ofWorker = new float[workers][features.longest() * features.width()];
    }

    @Override
    public float[] of(int worker, int episode) {
        int width = features.width();
        BatchFeatures.Rows rows = features.of(worker, episode);
        float[] values = rows.values();
        float[] into = ofWorker[worker];
        for (int t = 0; t < features.length(episode); t++) {
            int from = rows.from() + t * width;
            int to = t * width;
            for (int j = 0; j < width; j++) {
                into[to + j] = (float) (values[from + j] - centre[j]);
            }
        }
        return into;
    }
}
