package dev.pgkq.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.reward.Grain;
import dev.pgkq.reward.TaskReward;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.TrainSettings;
import org.junit.jupiter.api.Test;

class ContenderTest {
    private static final TrainSettings RUN = TrainSettings.defaults(Algorithm.named("ppo-large"), 7)
            .withBatch(64)
            .withSelect(8);

    @Test
    void batchSeedAndAdvantagesAreThoseOfTheRun() {
        TrainSettings settings = Contender.parse("kq").settings(RUN, TaskReward.BUILTIN);

        assertThat(settings.algorithm()).isEqualTo(Algorithm.named("ppo-kq"));
        assertThat(settings.episodes().batch()).isEqualTo(64);
        assertThat(settings.episodes().select().most()).isEqualTo(8);
        assertThat(settings.seed()).isEqualTo(7);
        assertThat(settings.advantage()).isEqualTo(RUN.advantage());
    }

    @Test
    void aContenderMayPayForMore() {
        TrainSettings settings =
                Contender.parse("kq, all paid: algo=ppo-kq select=64").settings(RUN, TaskReward.BUILTIN);

        assertThat(settings.episodes().select().most()).isEqualTo(64);
    }

    @Test
    void whatIsPaidForIsTheRewardOfTheRun() {
        TrainSettings rated = Regime.STANDARD.large(Grain.EPISODE, 64, 8, 7);

        TrainSettings settings = Contender.parse("kq").settings(rated, TaskReward.RATING);

        assertThat(settings.episodes().grain()).isEqualTo(Grain.EPISODE);
        assertThat(settings.advantage()).isEqualTo(rated.advantage());
    }

    @Test
    void aContenderHasNoBatchOfItsOwn() {
        assertThatThrownBy(() -> Contender.parse("x: algo=ppo-kq batch=8").settings(RUN, TaskReward.BUILTIN))
                .isInstanceOf(UserException.class)
                .hasMessage("x: batch is that of the run and cannot be set; leave it out");
    }

    @Test
    void controlsChooseWithoutAKernel() {
        assertThat(Contender.parse("impute").isControl()).isTrue();
        assertThat(Contender.parse("random-bayes").isControl())
                .as("has a posterior")
                .isFalse();
        assertThat(Contender.parse("large").isControl()).as("pays for more").isFalse();
        assertThat(Contender.parse("kq, all paid: algo=ppo-kq select=64").isControl())
                .isFalse();
    }

    @Test
    void aContenderMayChooseByAnotherRule() {
        Contender router = Contender.parse("router: algo=ppo-kq-bayes select=2 choice=prior-pursuit");

        assertThat(router.choice()).contains(BayesianChoice.Rule.PRIOR_PURSUIT);
        assertThat(router.settings(RUN, TaskReward.BUILTIN).episodes().select().most())
                .isEqualTo(2);
        assertThat(Contender.parse("kq-bayes").choice()).isEmpty();
        assertThatThrownBy(() ->
                        Contender.parse("x: algo=ppo-kq-bayes choice=best").choice())
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("x: choice needs one of variance, pursuit, ")
                .hasMessageEndingWith("got 'best'");
    }
}
