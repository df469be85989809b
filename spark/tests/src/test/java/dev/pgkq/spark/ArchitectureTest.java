package dev.pgkq.spark;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.batch.MonitoredReturns;
import dev.pgkq.batch.Sampled;
import org.junit.jupiter.api.Test;

/** Only the module spark depends on Spark, and in it only the source of episodes knows monitored returns. */
class ArchitectureTest {
    private static final JavaClasses CODE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.pgkq");

    @Test
    void nothingElseDependsOnSpark() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.pgkq.spark..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.pgkq.spark..", "org.apache.spark..", "scala..")
                .check(CODE);
    }

    @Test
    void onlyTheSourceKnowsMonitoredReturns() {
        noClasses()
                .that()
                .resideInAPackage("dev.pgkq.spark..")
                .and()
                .areNotAssignableTo(EpisodeSource.class)
                .and()
                // the part of a source that samples on an executor
                .doNotHaveSimpleName("ExecutorWorkspace")
                .should()
                .dependOnClassesThat(belongToAnyOf(MonitoredReturns.class, Sampled.class))
                .check(CODE);
    }
}
