package dev.pgkq.train.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.pgkq.train.Trainer;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Breaks the composition of the algorithms on purpose, one mistake at a time, and runs the tests of the composition on the
 * broken code: they must fail.
 */
class MutantTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/pgkq");

    /** A mistake that is easily made. */
    private enum Mutant {
        THE_CORRECTION_IS_NEVER_BOOTSTRAPPED(new Edit(
                "gradient/CorrectedAdvantage",
                "new Credit(correctionForm, credit.discount(), credit.stepDiscount())",
                "new Credit(AdvantageForm.E1, credit.discount(), credit.stepDiscount())")),
        V_IS_FITTED_BEFORE_ADVANTAGES_ARE_TAKEN(
                new Edit("train/Trainer", """
                                double valueLoss = baseline.fit(
                                        targets,
                                        settings.baseline().minibatches(),
                                        epoch -> RandomStream.of(settings.seed(), Purpose.VALUE_SHUFFLE, iteration, epoch));
                        """, ""),
                new Edit(
                        "train/Trainer", "AdvantageBatch samples = method.advantage().estimate(paid, baseline);", """
                        double valueLoss = baseline.fit(
                                method.baseline().of(paid, baseline),
                                settings.baseline().minibatches(),
                                epoch -> RandomStream.of(settings.seed(), Purpose.VALUE_SHUFFLE, iteration, epoch));
                        AdvantageBatch samples = method.advantage().estimate(paid, baseline);
                        """)),
        WEIGHTS_ARE_CALIBRATED_ON_RESIDUALS_AFTER_LEARNING(new Edit(
                "train/Method", "new CalibratedWeights(model::surprise)", "new CalibratedWeights(model::missed)")),
        IMPUTE_IS_NOT_SHRUNK(new Edit("train/Method", "CorrectionWeights.share()", "CorrectionWeights.scaled(1)")),
        MODELLED_RETURNS_ARE_NOT_DISCOUNTED(new Edit(
                "gradient/CorrectedAdvantage",
                "Rewards.discountedReturns(all, modelled, credit.discount())",
                "Rewards.discountedReturns(all, modelled, 1)")),
        THE_KERNEL_OF_KQ_HAS_THE_WRONG_FORM(new Edit(
                "train/Method",
                "Credit ofCorrection = new Credit( settings.correctionForm(),",
                "Credit ofCorrection = new Credit(settings.advantage().estimator(),")),
        PRESET_PAPER_DOES_NOT_DISCOUNT_STEPS(new Edit(
                "train/TrainSettings",
                "new Advantage(0.995, paper ? AdvantageForm.E2 : AdvantageForm.BOOTSTRAP, paper, !paper)",
                "new Advantage(0.995, paper ? AdvantageForm.E2 : AdvantageForm.BOOTSTRAP, false, !paper)")),
        V_OF_KQ_IS_FITTED_TO_PAID_RETURNS(new Edit(
                "train/Method",
                "BaselineTargets.estimatedReturns(paid -> model.predict(paid.allSteps()), settings.bootstrap())",
                "paidReturns()")),
        THE_KERNEL_OF_KQ_NO_MEAN_IS_THAT_OF_REWARDS(
                new Edit("train/Method", "Credit.Target.RETURNS", "Credit.Target.REWARDS")),
        LEARNING_BEFORE_AND_AFTER_ARE_SWAPPED(
                new Edit("train/Trainer", "method.learn() == Learn.BEFORE", "method.learn() != Learn.BEFORE"),
                new Edit("train/Trainer", "method.learn() == Learn.AFTER", "method.learn() != Learn.AFTER")),
        V_IGNORES_THE_WEIGHTS_OF_EPISODES(
                new Edit("train/BaselineTargets", "(float) paid.points().weights()[e]", "1f / steps.episodes()")),
        SUMS_DO_NOT_COUNT_ONCE_FOR_EACH_STEP(new Edit(
                "model/KnownRewards",
                "weights[e] = steps.weights()[i];",
                "weights[e] = steps.weights()[i] / (starts[e + 1] - starts[e]);")),
        THE_MEAN_ADVANTAGE_LEAVES_OUT_THE_CORRECTION(new Edit(
                "gradient/CorrectedAdvantage", "expected.standardize(correction.sum())", "expected.standardize()")),
        MEMORY_HOLDS_NOTHING_OLD(
                new Edit("model/RewardModel", "new RewardMemory(settings.memory + 1)", "new RewardMemory(1)")),
        UNITS_ARE_NOT_FOLLOWED_BEFORE_THE_STEP(new Edit("train/Trainer", "follow(paid); Lesson", "Lesson")),
        NEW_UNITS_CHANGE_THE_FUNCTION(
                new Edit("nn/Regression", "units.scale() > 0 && changed.scale() > 0", "changed.scale() < 0")),
        THE_UNITS_OF_RETURNS_ARE_NOT_BOOTSTRAPPED(
                new Edit("model/PaidUnits", "mean(returns) / (1 - mean(factors))", "mean(returns)")),
        TERM_II_IS_NOT_BOOTSTRAPPED(new Edit(
                "gradient/CorrectedAdvantage",
                "new Bootstrap(credit.form(), credit.discount())",
                "new Bootstrap(AdvantageForm.E1, credit.discount())")),
        THE_TARGETS_OF_V_ARE_NOT_BOOTSTRAPPED(new Edit(
                "train/BaselineTargets",
                "bootstrap.complete(steps, paid.paidReturns(bootstrap.discount()), baseline)",
                "paid.paidReturns(bootstrap.discount())")),
        SCORES_ARE_NOT_CENTRED(new Edit(
                "train/Method", "SCORE && settings.advantage().standardize()", "SCORE && settings.seed() < 0")),
        BOOTSTRAPPING_IS_ONE_STEP_SHORT(new Edit(
                "model/Bootstrap",
                "following *= discount; into[i] += following;",
                "into[i] += following; following *= discount;")),
        BELIEFS_ARE_FORMED_AFTER_THE_STEP(new Edit("train/Method", "belief, Learn.BEFORE);", "belief, Learn.AFTER);")),
        V_OF_KQ_BAYES_IS_FITTED_TO_PAID_RETURNS(new Edit(
                "train/Method", "BaselineTargets.estimatedReturns(belief, settings.bootstrap())", "paidReturns()")),
        RATINGS_ARE_CHOSEN_WITH_THE_CREDITS_OF_SUMS(new Edit(
                "train/Method", "Credit.Target.REWARDS, settings.credit())", "Credit.Target.SUMS, settings.credit())")),
        THE_SIZE_OF_GRADIENTS_IS_THAT_OF_REWARDS(new Edit(
                "select/PosteriorSelector",
                "advantages.of(steps, belief.expected(steps), baseline)",
                "belief.expected(steps)")),
        ESTIMATED_ADVANTAGES_IGNORE_V(new Edit(
                "gradient/EstimatedAdvantage", "baseline.predict(steps.observations())", "new double[steps.size()]")),
        BELIEFS_ARE_CALIBRATED_AFTER_LEARNING(
                new Edit(
                        "model/BayesianRewardModel",
                        "predicted.ifPresent(each -> calibrate(each, starts, errors));",
                        ""),
                new Edit("model/BayesianRewardModel", "infer(); return errors;", """
                        infer();
                        double[] late = errors(all, indices, starts, rows.values(starts, rewards));
                        predicted.ifPresent(each -> calibrate(each, starts, late));
                        return errors;""")),
        ESTIMATES_REPLACE_PAID_REWARDS(new Edit(
                "model/BayesianRewardModel",
                "double[] rewards = expected(all); if (grain == Grain.STEP)",
                "double[] rewards = expected(all); if (grain == null)")),
        RATINGS_REPLACE_THEIR_ESTIMATES(new Edit(
                "model/BayesianRewardModel",
                "double[] rewards = expected(all); if (grain == Grain.STEP)",
                "double[] rewards = expected(all); if (grain != null)")),
        RATED_EPISODES_HAVE_NO_INTERCEPT(new Edit(
                "model/BayesianRewardModel",
                "rewards[last] += intercept / Math.pow(discount, last - starts[row]);",
                "rewards[last] += grain == Grain.STEP ? intercept : 0;")),
        SUMS_ARE_FORGOTTEN(new Edit(
                "model/BayesianRewardModel",
                "sums = sums.plus(",
                "sums = NormalEquations.none(features.size() + 1).plus(")),
        SCORES_OF_KQ_BAYES_ARE_NOT_CENTRED(new Edit(
                "select/PosteriorSelector",
                "centred ? credits.centredOn(steps.starts(), factors) : credits",
                "credits")),
        FEATURES_OF_RATINGS_ARE_NOT_CENTRED(
                new Edit("select/PosteriorSelector", "sums[e * width + j] = -centre[j];", "")),
        THE_PACE_IGNORES_THE_INFLATION(new Edit(
                "select/PosteriorSelector",
                "round.iteration(), unit);",
                "round.iteration(), unit / belief.inflation());")),
        PAID_EPISODES_REMAIN_UNCERTAIN(new Edit("select/StepUncertainty", "add(whole[episode], -1, left);", "")),
        NOISE_OF_PAID_EPISODES_REMAINS(new Edit(
                "select/StepUncertainty",
                "unexplained -= noise[episode]; chosen[episode] = true;",
                "chosen[episode] = true;")),
        NO_BELIEF_IS_AUDITED(new Edit("select/Pace", "needed || iteration % AUDIT == 0", "needed")),
        THE_CALIBRATION_NEVER_FORGETS(new Edit("bayes/Calibration", "KEEP = 0.8", "KEEP = 1")),
        EVERY_RATIO_IS_EQUALLY_LIKELY(new Edit("bayes/Posterior", "evidence - 0.5 * away * away", "evidence")),
        REWARDS_DO_NOT_DEPEND_ON_THE_NEXT_STATE(
                new Edit("episode/Steps", "next[from + k] - observations[i * ofState + k]", "0")),
        TIME_LIMITS_LOOK_LIKE_THE_END_OF_A_TASK(
                new Edit("episode/Steps", "isLast && !isCut ? 1 : 0", "isLast ? 1 : 0")),
        THE_LAST_OBSERVATION_OF_CUT_EPISODES_IS_NOT_USED(
                new Edit("episode/Steps", "isLast ? last : observations", "isLast ? new float[0] : observations")),
        MARKS_ARE_MISSING(new Edit(
                "bayes/RandomFeatures",
                "write + linear + k] = ofMarks * steps[read + inputs + k];",
                "write + linear + k] = 0;"));

        private final List<Edit> edits;

        Mutant(Edit... edits) {
            this.edits = List.of(edits);
        }
    }

    /**
     * A change of one place in a source file.
     *
     * @param file without its ending
     * @param from text that occurs once in it, whatever its line breaks
     * @param to what takes its place
     */
    private record Edit(String file, String from, String to) {
        String apply(String source) {
            Pattern words = Pattern.compile(Arrays.stream(from.strip().split("\\s+"))
                    .map(Pattern::quote)
                    .collect(Collectors.joining("\\s+")));
            assertThat(words.matcher(source).results())
                    .as("'%s' must occur once in %s: the mutant has to follow the code", from, file)
                    .hasSize(1);
            return words.matcher(source).replaceFirst(Matcher.quoteReplacement(to));
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyMutantFollowsTheCode(Mutant mutant) throws IOException {
        assertThat(sources(mutant.edits)).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void everyMutantIsKilled(Mutant mutant, @TempDir Path classes) throws Exception {
        compile(mutant.edits, classes);
        assertThat(firstFailure(classes)).as("the first test that fails").isNotEmpty();
    }

    @Test
    @Tag("slow")
    void withoutAMutantTheTestsPass(@TempDir Path classes) throws Exception {
        assertThat(firstFailure(classes)).isEmpty();
    }

    /** The changed sources by file. */
    private static Map<String, String> sources(List<Edit> edits) throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        for (Edit edit : edits) {
            String source = sources.containsKey(edit.file)
                    ? sources.get(edit.file)
                    : Files.readString(SOURCES.resolve(edit.file + ".java"));
            sources.put(edit.file, edit.apply(source));
        }
        return sources;
    }

    private static void compile(List<Edit> edits, Path classes) throws IOException {
        Map<String, String> sources = sources(edits);
        List<String> arguments =
                new ArrayList<>(List.of("-nowarn", "-proc:none", "-d", classes.toString(), "-cp", classPath()));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = classes.resolve("sources").resolve(source.getKey() + ".java");
            Files.createDirectories(file.getParent());
            arguments.add(Files.writeString(file, source.getValue()).toString());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertThat(compiler.run(null, null, null, arguments.toArray(new String[0])))
                .as("exit code of the compiler")
                .isZero();
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    /** Runs the tests of the composition, with the classes of a folder in place of the usual ones, until one fails. */
    private static List<String> firstFailure(Path classes) throws IOException {
        List<String> failures = new ArrayList<>();
        CancellationToken stop = CancellationToken.create();
        TestExecutionListener listener = new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                    failures.add(
                            test.getDisplayName() + ": " + result.getThrowable().orElse(null));
                    stop.cancel();
                }
            }
        };
        try (URLClassLoader loader = new MutatedClasses(classes)) {
            Thread.currentThread().setContextClassLoader(loader);
            Launcher launcher = LauncherFactory.create();
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(
                            selectClass(loader, "dev.pgkq.train.DefaultsTest"),
                            selectClass(loader, CompositionTest.class.getName()))
                    // the threads of the outer tests are not those of the inner ones
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                    .build();
            launcher.execute(LauncherExecutionRequestBuilder.request(request)
                    .cancellationToken(stop)
                    .listeners(listener)
                    .build());
        } finally {
            Thread.currentThread().setContextClassLoader(MutantTest.class.getClassLoader());
        }
        return failures;
    }

    /** The project's own classes, loaded anew, with those of a folder first. */
    private static final class MutatedClasses extends URLClassLoader {
        MutatedClasses(Path first) throws IOException {
            super(
                    new URL[] {first.toUri().toURL(), home(MutantTest.class), home(Trainer.class)},
                    MutantTest.class.getClassLoader());
        }

        private static URL home(Class<?> type) {
            return type.getProtectionDomain().getCodeSource().getLocation();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.pgkq.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }
    }
}
