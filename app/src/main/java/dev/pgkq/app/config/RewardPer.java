package dev.pgkq.app.config;

import dev.pgkq.reward.Grain;

/** What an external reward is given for. */
enum RewardPer {
    STEP,
    EPISODE,
    /** The first answer shows it. */
    AUTO;

    static RewardPer of(Grain grain) {
        return switch (grain) {
            case STEP -> STEP;
            case EPISODE -> EPISODE;
        };
    }

    /**
     * The grain of the rewards.
     *
     * @param otherwise the grain if this does not say it
     */
    Grain grain(Grain otherwise) {
        return switch (this) {
            case STEP -> Grain.STEP;
            case EPISODE -> Grain.EPISODE;
            case AUTO -> otherwise;
        };
    }
}
