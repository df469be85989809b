package dev.pgkq.train;

/** How an algorithm saves evaluations of rewards. */
public enum Variant {
    /** Samples n episodes and evaluates all of them. */
    SMALL("", "n episodes sampled, all evaluated"),
    /** Samples N episodes and evaluates all of them: the result that the others approximate. */
    LARGE("-large", "N episodes sampled, all evaluated"),
    /** Option 2 of the paper: quadrature and a reward model. */
    KQ("-kq", "n of N chosen by quadrature, a reward model for the rest"),
    /** Option 1 of the paper: quadrature alone. */
    KQ_NO_MEAN("-kq-no-mean", "n of N chosen by quadrature, without a reward model"),
    /** The best combination found so far: a model that learns first and remembers, with calibrated weights. */
    KQ_PLUS("-kq-plus", "kq with a model that learns first, memory, calibrated weights"),
    /** What was paid for is believed, and episodes are chosen by what they would add to that. */
    KQ_BAYES("-kq-bayes", "n of N chosen by a posterior of rewards, which estimates the rest"),
    /** Control: shows the value of the selection. */
    RANDOM("-random", "control: n of N chosen at random"),
    /** Control: shows the value of the selection beside a posterior of rewards. */
    RANDOM_BAYES("-random-bayes", "control: kq-bayes with n of N chosen at random"),
    /** Control: shows the value of the selection beside a reward model. */
    RANDOM_MEAN("-random-mean", "control: kq with n of N chosen at random"),
    /** Control: shows the value of the correction. */
    IMPUTE("-impute", "control: true rewards where evaluated, the model's elsewhere"),
    /** Control: shows what the reward model does alone. */
    MODEL_ONLY("-model-only", "control: evaluated rewards train the model only");

    private final String suffix;
    private final String summary;

    Variant(String suffix, String summary) {
        this.suffix = suffix;
        this.summary = summary;
    }

    /** {@return what the variant adds to the name of a base, such as {@code -kq-plus}; empty for {@link #SMALL}} */
    public String suffix() {
        return suffix;
    }

    /** {@return the name without a base, such as {@code small} or {@code kq-plus}} */
    public String label() {
        return suffix.isEmpty() ? "small" : suffix.substring(1);
    }

    /** {@return what the variant does, in a few words} */
    public String summary() {
        return summary;
    }

    /** {@return whether a kernel chooses the episodes} */
    public boolean choosesByKernel() {
        return switch (this) {
            case KQ, KQ_NO_MEAN, KQ_PLUS -> true;
            case SMALL, LARGE, KQ_BAYES, RANDOM, RANDOM_BAYES, RANDOM_MEAN, IMPUTE, MODEL_ONLY -> false;
        };
    }

    /** {@return whether it is not in the paper, nor a control of what is; the paper's settings cannot train it} */
    public boolean isOurs() {
        return this == KQ_PLUS || hasPosterior();
    }

    /** {@return whether it can decide how many episodes of an iteration are evaluated} */
    public boolean decidesHowMany() {
        return this == KQ_BAYES;
    }

    /** {@return whether rewards are estimated by a posterior and not by a network} */
    public boolean hasPosterior() {
        return this == KQ_BAYES || this == RANDOM_BAYES;
    }

    /** {@return whether a model predicts the rewards of the episodes that are not evaluated} */
    public boolean modelsRewards() {
        return switch (this) {
            case KQ, KQ_PLUS, KQ_BAYES, RANDOM_BAYES, RANDOM_MEAN, IMPUTE, MODEL_ONLY -> true;
            case SMALL, LARGE, KQ_NO_MEAN, RANDOM -> false;
        };
    }
}
