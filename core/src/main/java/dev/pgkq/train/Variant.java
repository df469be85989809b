package dev.pgkq.train;

/** What an algorithm does about the price of rewards. */
public enum Variant {
    /** Samples n episodes and pays for all of them. */
    SMALL("", "n episodes sampled, all paid for"),
    /** Samples N episodes and pays for all of them: what the others try to come close to. */
    LARGE("-large", "N episodes sampled, all paid for");

    private final String suffix;
    private final String summary;

    Variant(String suffix, String summary) {
        this.suffix = suffix;
        this.summary = summary;
    }

    public String suffix() {
        return suffix;
    }

    public String summary() {
        return summary;
    }
}
