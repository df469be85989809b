package dev.pgkq.app;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.pgkq.app.terminal.Advice;
import dev.pgkq.rewards.cluster.ClusterProvider;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The arrows of {@code docs/architecture.md} point one way. Rules name the packages that may do something; every other package,
 * also a new one, may not.
 */
class ArchitectureTest {
    static final JavaClasses CODE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.pgkq");

    private static final String APP = "dev.pgkq.app..";
    private static final String REWARDS = "dev.pgkq.rewards..";
    private static final String MUJOCO = "dev.pgkq.mujoco..";
    private static final String GYM = "dev.pgkq.gym..";
    private static final String[] OUTSIDE_CORE = {APP, REWARDS, MUJOCO, GYM};
    private static final String[] REINFORCEMENT_LEARNING = {
        "dev.pgkq.env..",
        "dev.pgkq.episode..",
        "dev.pgkq.policy..",
        "dev.pgkq.credit..",
        "dev.pgkq.reward..",
        "dev.pgkq.batch..",
        "dev.pgkq.kernel..",
        "dev.pgkq.select..",
        "dev.pgkq.purchase..",
        "dev.pgkq.model..",
        "dev.pgkq.gradient..",
        "dev.pgkq.train..",
        "dev.pgkq.advise.."
    };

    private static final Pattern ROW = Pattern.compile("\\| `([a-z.]+)` \\|[^|]*\\| ([^|]*) \\|");
    private static final Pattern PACKAGE = Pattern.compile("^package dev\\.pgkq\\.([a-z.]+);", Pattern.MULTILINE);
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?dev\\.pgkq\\.([a-z.]+)\\.[A-Z]", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([a-z.]+)`");
    private static final Pattern ANNOTATIONS =
            Pattern.compile("(?:^ {4}@.*\\R(?:^ {8}.*\\R|^ {4}\\}\\).*\\R)*)+", Pattern.MULTILINE);
    private static final Pattern OPTION = Pattern.compile("--([a-z][a-z-]*)");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.pgkq.(**)").should().beFreeOfCycles().check(CODE);
    }

    @Test
    void thePageShowsEveryPackageAndWhatItUses() throws IOException {
        Map<String, TreeSet<String>> used = new TreeMap<>();
        for (Path file : sources("main", "core", "mujoco", "gym", "rewards", "app")) {
            addImports(Files.readString(file), used);
        }
        Map<String, TreeSet<String>> shown = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("..", "docs", "architecture.md")));
        while (row.find()) {
            shown.put(row.group(1), names(NAME.matcher(row.group(2))));
        }
        assertThat(written(shown))
                .as("the tables of packages in docs/architecture.md")
                .isEqualTo(written(used));
    }

    private static List<Path> sources(String kind, String... modules) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : modules) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", kind, "java"))) {
                files.filter(path -> path.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    private static void addImports(String source, Map<String, TreeSet<String>> used) {
        Matcher own = PACKAGE.matcher(source);
        assertThat(own.find()).isTrue();
        TreeSet<String> imports = names(IMPORT.matcher(source));
        imports.remove(own.group(1));
        used.computeIfAbsent(own.group(1), any -> new TreeSet<>()).addAll(imports);
    }

    private static TreeSet<String> names(Matcher found) {
        TreeSet<String> names = new TreeSet<>();
        while (found.find()) {
            names.add(found.group(1));
        }
        return names;
    }

    private static String written(Map<String, TreeSet<String>> packages) {
        return packages.entrySet().stream()
                .map(each -> each.getKey() + ": "
                        + each.getValue().stream().map(name -> "`" + name + "`").collect(Collectors.joining(", ")))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void coreUsesNothingButItselfAndJava() {
        classes()
                .that()
                .resideOutsideOfPackages(OUTSIDE_CORE)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("dev.pgkq..", "java..", "jdk.incubator.vector..", "org.jspecify..")
                                .and(resideOutsideOfPackages(OUTSIDE_CORE)))
                .check(CODE);
    }

    @Test
    void numericsKnowNothingOfReinforcementLearning() {
        noClasses()
                .that()
                .resideOutsideOfPackages(REINFORCEMENT_LEARNING)
                .and()
                .resideOutsideOfPackages(OUTSIDE_CORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(REINFORCEMENT_LEARNING)
                .check(CODE);
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.pgkq.linalg..",
                        "dev.pgkq.nn..",
                        "dev.pgkq.quadrature..",
                        "dev.pgkq.random..",
                        "dev.pgkq.statistics..",
                        "dev.pgkq.parallel..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pgkq.gp..")
                .check(CODE);
    }

    @Test
    void onlyMonitorsAndWhatFollowsThePurchaseKnowRewards() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.pgkq.reward..",
                        "dev.pgkq.batch..",
                        "dev.pgkq.purchase..",
                        "dev.pgkq.model..",
                        "dev.pgkq.gradient..",
                        "dev.pgkq.train..",
                        "dev.pgkq.advise..")
                .and()
                .resideOutsideOfPackages(OUTSIDE_CORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.pgkq.reward..")
                .check(CODE);
    }

    @Test
    void mujocoKnowsEnvironmentsOnly() {
        classes()
                .that()
                .resideInAPackage(MUJOCO)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        MUJOCO,
                        "dev.pgkq.env..",
                        "dev.pgkq.platform..",
                        "dev.pgkq.random..",
                        "dev.pgkq.text..",
                        "java..",
                        "org.jspecify.."))
                .check(CODE);
    }

    @Test
    void pythonEnvironmentsKnowEnvironmentsOnly() {
        classes()
                .that()
                .resideInAPackage(GYM)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        GYM,
                        "dev.pgkq.env..",
                        "dev.pgkq.platform..",
                        "dev.pgkq.random..",
                        "dev.pgkq.text..",
                        "java..",
                        "org.jspecify.."))
                .check(CODE);
    }

    @Test
    void rewardsCanBeEmbeddedWithoutCommandLineWebServerOrCharts() {
        classes()
                .that()
                .resideInAPackage(REWARDS)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "dev.pgkq..",
                                "java..",
                                "org.jspecify..",
                                "tools.jackson..",
                                "org.sqlite..",
                                "org.postgresql..")
                        .and(resideOutsideOfPackages(APP, MUJOCO, GYM)))
                .check(CODE);
    }

    @Test
    void onlyTheMainClassKnowsCommands() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.pgkq.app", "dev.pgkq.app.command..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pgkq.app.command..")
                .check(CODE);
    }

    @Test
    void onlyCommandsStartTheWebServerAndOnlyItKnowsHttpFrameworks() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.pgkq.app.web..", "dev.pgkq.app.command..")
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

    @Test
    void onlyPlotsKnowChartLibrariesAndOnlyTheCommandLineItsParser() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.pgkq.app.plot..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jfree..", "org.apache.batik..")
                .check(CODE);
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.pgkq.app", "dev.pgkq.app.command..", "dev.pgkq.app.config..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..")
                .check(CODE);
    }

    @Test
    void onlyLedgersQueuesOfPeopleAndAdvisersKnowDatabases() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.pgkq.rewards.database..",
                        "dev.pgkq.rewards.ledger..",
                        "dev.pgkq.rewards.people..",
                        "dev.pgkq.rewards.advise..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "org.sqlite..", "org.postgresql..")
                .check(CODE);
    }

    /** Spark is fetched with {@code --cluster} only. */
    @Test
    void noSparkIsOnTheClassPath() {
        assertThatThrownBy(() -> Class.forName("org.apache.spark.SparkContext"))
                .isInstanceOf(ClassNotFoundException.class);
        assertThatThrownBy(ClusterProvider::find)
                .isInstanceOfSatisfying(
                        UserException.class, e -> assertThat(Advice.message(e)).contains("./pgkq"));
    }

    /** As {@code CONTRIBUTING.md} says. */
    @Test
    void everyClassWithSlowTestsHasQuickOnes() throws IOException {
        List<Path> withoutQuickOnes = new ArrayList<>();
        int withSlowOnes = 0;
        for (Path file : sources("test", "core", "mujoco", "gym", "rewards", "app", "python", "spark", "spark/tests")) {
            String source = Files.readString(file);
            boolean slowAsAWhole = source.contains("\n@Tag(\"slow\")");
            List<String> tests = ANNOTATIONS
                    .matcher(source)
                    .results()
                    .map(MatchResult::group)
                    .filter(annotations -> annotations.contains("Test\n"))
                    .toList();
            long slow = tests.stream()
                    .filter(annotations -> annotations.contains("@Tag(\"slow\")"))
                    .count();
            withSlowOnes += slow > 0 ? 1 : 0;
            if (slowAsAWhole || slow > 0 && slow == tests.size()) {
                withoutQuickOnes.add(file);
            }
        }
        assertThat(withSlowOnes).isGreaterThan(10);
        assertThat(withoutQuickOnes).isEmpty();
    }

    /** Libraries say what is wrong in words; {@link Advice} adds options. Only options of Java may be named. */
    @Test
    void onlyTheApplicationNamesItsOptions() throws IOException {
        TreeSet<String> options = new TreeSet<>();
        for (Path file : sources("main", "core", "mujoco", "gym", "rewards", "spark")) {
            options.addAll(names(OPTION.matcher(Files.readString(file))));
        }
        assertThat(options).containsExactly("add-modules", "enable-native-access");
    }
}
