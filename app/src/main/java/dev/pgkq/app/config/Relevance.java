package dev.pgkq.app.config;

import dev.pgkq.train.Algorithm;
import dev.pgkq.train.Base;
import dev.pgkq.train.Variant;
import java.util.function.Predicate;

/** The algorithms and rewards with which a setting has an effect. */
enum Relevance {
    ALWAYS(algorithm -> true, reward -> true),
    PPO(algorithm -> algorithm.base() == Base.PPO, reward -> true),
    KERNEL(algorithm -> algorithm.variant().choosesByKernel(), reward -> true),
    SCORES(
            algorithm -> algorithm.variant().choosesByKernel() || algorithm.variant() == Variant.KQ_BAYES,
            reward -> true),
    /** Reward models that are networks. */
    MODEL(
            algorithm ->
                    algorithm.variant().modelsRewards() && !algorithm.variant().hasPosterior(),
            reward -> true),
    /** Rewards that the task does not have itself. */
    EXTERNAL(algorithm -> true, reward -> reward.ofTask().isEmpty()),
    /** Rewards by programs and services. People see all episodes at once and are asked once. */
    PROGRAMS(algorithm -> true, reward -> reward.ofTask().isEmpty() && !reward.isHuman()),
    PEOPLE(algorithm -> true, RewardChoice::isHuman);

    private final Predicate<Algorithm> algorithms;
    private final Predicate<RewardChoice> rewards;

    Relevance(Predicate<Algorithm> algorithms, Predicate<RewardChoice> rewards) {
        this.algorithms = algorithms;
        this.rewards = rewards;
    }

    boolean appliesTo(Algorithm algorithm) {
        return algorithms.test(algorithm);
    }

    boolean appliesTo(RewardChoice reward) {
        return rewards.test(reward);
    }
}
