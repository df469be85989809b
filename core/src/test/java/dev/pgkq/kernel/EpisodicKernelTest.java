package dev.pgkq.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.episode.Steps;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.EmbeddedEpisodes;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.policy.ScoreProjection;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EpisodicKernelTest {
    private static final int DIMENSIONS = 8;

    /** Cut to, or repeated up to, other lengths, with ends of chunks and of the processor's tiles in and between them. */
    private static List<Episode> episodes(Task task, Policy policy, Workers workers) {
        try (LocalRollouts rollouts = new LocalRollouts(task, 1, RolloutMode.TRAINING, workers)) {
            List<Episode> cut = new ArrayList<>();
            int[] lengths = {200, 1, 7, 64, 65, 130, 1100, 33, 513, 15, 128, 129};
            for (Episode episode : rollouts.sample(policy, 1, lengths.length)) {
                int length = lengths[episode.index()];
                cut.add(new Episode(
                        1,
                        episode.index(),
                        length,
                        cut(episode.observations(), length * policy.observationSize()),
                        cut(episode.actions(), length * policy.actionSize()),
                        Arrays.copyOf(episode.logProbs(), length),
                        Arrays.copyOf(episode.states(), (length + 1) * 2),
                        episode.ending()));
            }
            return cut;
        }
    }

    /** Begins again where there is not enough. */
    private static float[] cut(float[] values, int length) {
        float[] cut = new float[length];
        for (int i = 0; i < length; i++) {
            cut[i] = values[i % values.length];
        }
        return cut;
    }

    /** A centred kernel of projected scores. */
    private static EpisodicKernel kernel(Policy policy, Workers workers) {
        return new EpisodicKernel(
                new DeepKernel(
                        4,
                        new DeepKernel.Settings(0.4, -1, 1, 8, 1, 1e-3),
                        RandomStream.of(1, Purpose.KERNEL_INIT),
                        workers),
                new StepCredits(
                        StepFactors.scores(new ScoreProjection(policy, DIMENSIONS, 1, workers)),
                        Credit.Target.REWARDS,
                        new Credit(AdvantageForm.E1, 0.99, true)),
                true,
                new ExactGram(),
                true);
    }

    /** What an episode looks like to the kernel does not depend on which others are in its batch: shards may be anywhere. */
    @Test
    void anEpisodeIsEmbeddedAloneAsItIsAmongOthers() {
        try (Workers workers = new Workers(2)) {
            Policy policy = Policy.gaussian(3, 1, 1);
            EpisodicKernel kernel = kernel(policy, workers);
            List<Episode> all = episodes(Tasks.named("Pendulum-v1"), policy, workers);
            EmbeddedEpisodes together = kernel.embed(Steps.of(all));
            double[] sums = kernel.factorSums(together);
            double[] centre = kernel.centre(sums);
            EmbeddedEpisodes credited = kernel.credited(together, centre);
            double[] squares = kernel.squaredCredits(credited);
            for (int i = 0; i < all.size(); i++) {
                EmbeddedEpisodes alone = kernel.embed(Steps.of(List.of(all.get(i))));
                int from = together.starts()[i];
                int to = together.starts()[i + 1];
                assertThat(alone.embeddings()).isEqualTo(Arrays.copyOfRange(together.embeddings(), from * 10, to * 10));
                assertThat(alone.weights()).isEqualTo(rows(together.weights(), from, to));
                assertThat(kernel.factorSums(alone))
                        .isEqualTo(Arrays.copyOfRange(sums, i * (DIMENSIONS + 1), (i + 1) * (DIMENSIONS + 1)));
                EmbeddedEpisodes aloneCredited = kernel.credited(alone, centre);
                assertThat(aloneCredited.weights()).isEqualTo(rows(credited.weights(), from, to));
                assertThat(kernel.squaredCredits(aloneCredited)).containsExactly(squares[i]);
            }
        }
    }

    private static float[] rows(float[] values, int from, int to) {
        return Arrays.copyOfRange(values, from * DIMENSIONS, to * DIMENSIONS);
    }

    @Test
    @Tag("unmutated")
    void theBitsDoNotDependOnTheNumberOfThreads() {
        Policy policy = Policy.gaussian(3, 1, 1);
        try (Workers one = new Workers(1);
                Workers three = new Workers(3)) {
            List<Episode> all = episodes(Tasks.named("Pendulum-v1"), policy, one);
            KernelView alone = kernel(policy, one).view(Steps.of(all), one);
            KernelView together = kernel(policy, three).view(Steps.of(all), three);
            assertThat(together.credits().centre()).isEqualTo(alone.credits().centre());
            assertThat(together.noise()).isEqualTo(alone.noise());
            for (int i = 0; i < all.size(); i++) {
                for (int j = 0; j < all.size(); j++) {
                    assertThat(together.gram().at(i, j)).isEqualTo(alone.gram().at(i, j));
                }
            }
        }
    }

    /** Simulations may diverge in their first step. */
    @Test
    void aBatchWithoutStepsHasACentre() {
        Policy policy = Policy.gaussian(3, 1, 1);
        try (Workers workers = new Workers(1)) {
            Steps none = new Steps(new int[] {0, 0, 0}, new float[0], new float[0], new float[0]);
            KernelView view = kernel(policy, workers).view(none, workers);
            assertThat(view.credits().centre()).hasSize(DIMENSIONS).containsOnly(0);
            assertThat(view.gram().at(0, 1)).isEqualTo(0);
        }
    }
}
