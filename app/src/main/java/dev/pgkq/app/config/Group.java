package dev.pgkq.app.config;

/** Settings that belong together, as the help shows them. */
public enum Group {
    TASK("Task, algorithm and size"),
    REWARDS("Rewards"),
    LIMITS("Limits on evaluations"),
    PEOPLE("Ratings by people (--reward human)", Relevance.PEOPLE),
    RUN("Run"),
    CLUSTER("Cluster"),
    ADVANTAGES("Advantages"),
    POLICY("Policy step"),
    BASELINE("Baseline (value function)"),
    SELECTION("Selection of episodes (kq variants)", Relevance.KERNEL),
    KERNEL("Kernel between steps (kq variants)", Relevance.KERNEL),
    MODEL("Reward model (kq, kq-plus, random-mean, impute, model-only)", Relevance.MODEL);

    private final String title;
    final Relevance relevance;

    Group(String title) {
        this(title, Relevance.ALWAYS);
    }

    Group(String title, Relevance relevance) {
        this.title = title;
        this.relevance = relevance;
    }

    public String title() {
        return title;
    }
}
