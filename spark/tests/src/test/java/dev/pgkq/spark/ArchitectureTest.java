package dev.pgkq.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Only the module spark depends on Spark. */
class ArchitectureTest {
    @Test
    void nothingElseDependsOnSpark() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.pgkq.spark..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.pgkq.spark..", "org.apache.spark..", "scala..")
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("dev.pgkq"));
    }
}
