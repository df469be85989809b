package dev.pgkq.train;

/** What an algorithm does about the price of rewards. */
public enum Variant {
    /** Samples n episodes and pays for all of them. */
    SMALL("", "n episodes sampled, all paid for"),
    /** Samples N episodes and pays for all of them: what the others try to come close to. */
    LARGE("-large", "N episodes sampled, all paid for"),
    /** Option 2 of the paper. */
    KQ("-kq", "n of N by quadrature, a reward model for the rest"),
    /** Option 1 of the paper. */
    KQ_NO_MEAN("-kq-no-mean", "n of N by quadrature, and nothing else"),
    /** Our own best composition. */
    KQ_PLUS("-kq-plus", "kq that learns first, remembers and calibrates its weights"),
    /** Control: what choosing is worth. */
    RANDOM("-random", "control: n of N at random"),
    /** Control: what choosing is worth beside a reward model. */
    RANDOM_MEAN("-random-mean", "control: kq with n of N at random"),
    /** Control: what correcting is worth. */
    IMPUTE("-impute", "control: true rewards where paid for, the model's elsewhere"),
    /** Control: what the reward model does alone. */
    MODEL_ONLY("-model-only", "control: paid rewards train the model and nothing else");

    private final String suffix;
    private final String summary;

    Variant(String suffix, String summary) {
        this.suffix = suffix;
        this.summary = summary;
    }

    public String suffix() {
        return suffix;
    }

    /** Its name without a base: {@code small}, {@code kq-plus}. */
    public String label() {
        return suffix.isEmpty() ? "small" : suffix.substring(1);
    }

    public String summary() {
        return summary;
    }

    /** Whether a kernel chooses the episodes. */
    public boolean choosesByKernel() {
        return switch (this) {
            case KQ, KQ_NO_MEAN, KQ_PLUS -> true;
            case SMALL, LARGE, RANDOM, RANDOM_MEAN, IMPUTE, MODEL_ONLY -> false;
        };
    }

    /** Whether a model of the rewards speaks for the episodes that are not paid for. */
    public boolean modelsRewards() {
        return switch (this) {
            case KQ, KQ_PLUS, RANDOM_MEAN, IMPUTE, MODEL_ONLY -> true;
            case SMALL, LARGE, KQ_NO_MEAN, RANDOM -> false;
        };
    }
}
