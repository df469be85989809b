package dev.pgkq.app;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.pgkq.rewards.cluster.ClusterProvider;
import dev.pgkq.text.UserException;
import org.junit.jupiter.api.Test;

/** The arrows of {@code docs/architecture.md} point one way. */
class ArchitectureTest {
    private static final JavaClasses CODE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.pgkq");

    private static final String[] OTHER_MODULES = {
        "dev.pgkq.app..", "dev.pgkq.mujoco..", "dev.pgkq.spark..", "dev.pgkq.benchmarks.."
    };

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.pgkq.(**)").should().beFreeOfCycles().check(CODE);
    }

    @Test
    void coreUsesNothingButItselfAndJava() {
        classes()
                .that()
                .resideOutsideOfPackages(OTHER_MODULES)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("dev.pgkq..", "java..", "jdk.incubator.vector..", "org.jspecify..")
                                .and(resideOutsideOfPackages(OTHER_MODULES)))
                .check(CODE);
    }

    @Test
    void mujocoKnowsEnvironmentsOnly() {
        noClasses()
                .that()
                .resideInAPackage("dev.pgkq.mujoco..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.pgkq.app..", "dev.pgkq.policy..", "dev.pgkq.train..", "dev.pgkq.gradient..")
                .check(CODE);
    }

    @Test
    void environmentsAndEpisodesKnowNothingOfRewardsPaidFor() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.pgkq.env..", "dev.pgkq.episode..", "dev.pgkq.select..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.pgkq.reward..")
                .check(CODE);
    }

    @Test
    void numericsKnowNothingOfReinforcementLearning() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.pgkq.linalg..",
                        "dev.pgkq.nn..",
                        "dev.pgkq.quadrature..",
                        "dev.pgkq.random..",
                        "dev.pgkq.parallel..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.pgkq.env..", "dev.pgkq.episode..", "dev.pgkq.policy..", "dev.pgkq.train..")
                .check(CODE);
    }

    @Test
    void statisticsKnowNumbersOnly() {
        noClasses()
                .that()
                .resideInAPackage("dev.pgkq.app.statistics..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.pgkq.app.run..", "dev.pgkq.app.study..", "dev.pgkq.app.plot..", "java.nio.file..")
                .check(CODE);
    }

    @Test
    void everyAppPackageLeavesTheCommandsToTheCommandLine() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.pgkq.app.cluster..",
                        "dev.pgkq.app.config..",
                        "dev.pgkq.app.run..",
                        "dev.pgkq.app.database..",
                        "dev.pgkq.app.desk..",
                        "dev.pgkq.app.ledger..",
                        "dev.pgkq.app.oracle..",
                        "dev.pgkq.app.people..",
                        "dev.pgkq.app.plot..",
                        "dev.pgkq.app.select..",
                        "dev.pgkq.app.terminal..",
                        "dev.pgkq.app.statistics..",
                        "dev.pgkq.app.study..",
                        "dev.pgkq.app.report..",
                        "dev.pgkq.app.trace..",
                        "dev.pgkq.app.web..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pgkq.app.command..")
                .check(CODE);
    }

    @Test
    void onlyTheCommandsStartTheWebServerAndOnlyItKnowsHttpFrameworks() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.pgkq.app.web..", "dev.pgkq.app.command..", "dev.pgkq.benchmarks..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pgkq.app.web..")
                .check(CODE);
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.pgkq.app.web..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.javalin..", "org.eclipse.jetty..", "jakarta.servlet..")
                .check(CODE);
    }

    /** Who has no cluster has no Spark: it comes with {@code --cluster} alone. */
    @Test
    void noSparkIsOnTheClassPath() {
        assertThatThrownBy(() -> Class.forName("org.apache.spark.SparkContext"))
                .isInstanceOf(ClassNotFoundException.class);
        assertThatThrownBy(ClusterProvider::find)
                .isInstanceOf(UserException.class)
                .hasMessageContaining("./pgkq");
    }

    @Test
    void onlyTheLedgerAndTheQueueOfPeopleKnowDatabases() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.pgkq.app.database..", "dev.pgkq.app.ledger..", "dev.pgkq.app.people..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "org.sqlite..", "org.postgresql..")
                .check(CODE);
    }
}
