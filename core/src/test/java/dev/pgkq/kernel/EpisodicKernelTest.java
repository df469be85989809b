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
import dev.pgkq.policy.GaussianPolicy;
import dev.pgkq.policy.ScoreProjection;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class EpisodicKernelTest {
    /** Cut to, or repeated up to, other lengths, with ends of chunks and of the processor's tiles in and between them. */
    private static List<Episode> episodes(Task task, GaussianPolicy policy, Workers workers) {
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

    /** What an episode looks like to the kernel does not depend on which others are in its batch: shards may be anywhere. */
    @Test
    void anEpisodeIsEmbeddedAloneAsItIsAmongOthers() {
        Task task = Tasks.named("Pendulum-v1");
        try (Workers workers = new Workers(2)) {
            GaussianPolicy policy = GaussianPolicy.initialize(3, 1, 1);
            EpisodicKernel kernel = new EpisodicKernel(
                    new DeepKernel(
                            4,
                            new DeepKernel.Settings(0.4, -1, 1, 8, 1, 1e-3),
                            RandomStream.of(1, Purpose.KERNEL_INIT),
                            workers),
                    new StepCredits(
                            StepFactors.scores(new ScoreProjection(policy, 8, 1, workers)),
                            Credit.Target.REWARDS,
                            new Credit(AdvantageForm.E1, 0.99, true)),
                    new ExactGram(),
                    true);
            List<Episode> all = episodes(task, policy, workers);
            EmbeddedEpisodes together = kernel.embed(Steps.of(all));
            for (int i = 0; i < all.size(); i++) {
                EmbeddedEpisodes alone = kernel.embed(Steps.of(List.of(all.get(i))));
                int from = together.starts()[i];
                int to = together.starts()[i + 1];
                assertThat(alone.embeddings()).isEqualTo(Arrays.copyOfRange(together.embeddings(), from * 10, to * 10));
                assertThat(alone.weights()).isEqualTo(Arrays.copyOfRange(together.weights(), from * 8, to * 8));
            }
        }
    }
}
