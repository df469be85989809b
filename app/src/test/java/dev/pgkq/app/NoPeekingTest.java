package dev.pgkq.app;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.batch.Monitor;
import dev.pgkq.batch.MonitoredReturns;
import dev.pgkq.batch.Sampled;
import dev.pgkq.policy.Policy;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.select.EpisodeSelector;
import dev.pgkq.select.Round;
import dev.pgkq.select.Selection;
import dev.pgkq.train.Trainer;
import org.junit.jupiter.api.Test;

/**
 * Training never sees a reward that was not paid for. Episodes carry no rewards, and the returns that are monitored for the
 * learning curves are reachable through three types only, which no stage of the algorithm may use.
 */
class NoPeekingTest {
    private static final DescribedPredicate<JavaClass> MONITORED_RETURNS =
            belongToAnyOf(Monitor.class, MonitoredReturns.class, Sampled.class).as("monitored returns");

    /** Sources evaluate the returns, and the trainer hands them to its report once everything has been learned. */
    private static final ArchRule ONLY_SOURCES_AND_THE_TRAINER = classes()
            .that()
            .resideOutsideOfPackages("dev.pgkq.batch", "dev.pgkq.spark..")
            .and()
            .doNotBelongToAnyOf(Trainer.class)
            .should()
            .onlyDependOnClassesThat(DescribedPredicate.not(MONITORED_RETURNS));

    private static final ArchRule NO_BATCH =
            noClasses().that().areAssignableTo(EpisodeBatch.class).should().dependOnClassesThat(MONITORED_RETURNS);

    @Test
    void onlySourcesAndTheTrainerKnowMonitoredReturns() {
        ONLY_SOURCES_AND_THE_TRAINER.check(ArchitectureTest.CODE);
    }

    @Test
    void noBatchKnowsMonitoredReturns() {
        NO_BATCH.check(ArchitectureTest.CODE);
    }

    @Test
    void theRulesFailWhereTheyAreBroken() {
        JavaClasses peeking = new ClassFileImporter().importClasses(PeekingSelector.class, PeekingBatch.class);
        assertThatThrownBy(() -> ONLY_SOURCES_AND_THE_TRAINER.check(peeking))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(PeekingSelector.class.getSimpleName());
        assertThatThrownBy(() -> NO_BATCH.check(peeking))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(PeekingBatch.class.getSimpleName());
    }

    /** Breaks the first rule: it samples again and looks at the returns. */
    private record PeekingSelector(EpisodeSource source, Policy policy) implements EpisodeSelector {
        @Override
        public Selection select(EpisodeBatch batch, Round round) {
            double[] returns = source.sample(policy, round.iteration(), batch.size())
                    .returns()
                    .values();
            int best = 0;
            for (int i = 1; i < returns.length; i++) {
                best = returns[i] > returns[best] ? i : best;
            }
            return Selection.withoutKernel(WeightedPoints.equal(best));
        }
    }

    /** Breaks the second rule: whoever holds it can ask for the returns. */
    private interface PeekingBatch extends EpisodeBatch {
        MonitoredReturns monitored();
    }
}
