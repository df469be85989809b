package dev.pgkq.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.env.Task;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes wrong in Python is said in Python's own words. */
class PythonFaultsTest {
    @TempDir
    private Path folder = Path.of("");

    private PythonSettings settings() {
        return PythonTasksTest.settings().withLog(() -> Optional.of(folder.resolve("python.log")));
    }

    private static void fails(Task task, PythonException.Problem problem, String... words) {
        assertThatThrownBy(() -> PythonTasksTest.sample(task, 1, 40))
                .isInstanceOfSatisfying(
                        PythonException.class, e -> assertThat(e.problem()).isEqualTo(problem))
                .message()
                .contains(words)
                .contains(task.id())
                .doesNotContain("worker.py", "Exception:");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Raising          | step failed: ValueError: the battery is empty
                    Raising          | raise ValueError("the battery is empty")
                    RaisingInReset   | reset failed: KeyError: 'start'
                    NotANumber       | number 1 of the observation is nan after step 2
                    RewardNotANumber | the reward is nan after step 1
                    OtherShape       | the observation has the shape (3,), but the observation space says (2,)
                    NoReward         | the reward is no number: step returned None
                    ChangingActions  | the environment changed its action space, to <
                    ChangingObservations | the environment changed its observation space, to <
                    OldStep          | step must return (observation, reward, terminated, truncated, info), but returned tuple of 4
                    OldReset         | reset must return (observation, info), but returned array
                    Dying            | the worker process ended with exit code 3, 3 times at the same step
                    Scribbling       | the worker sent bytes that are no answer
                    """)
    void anEnvironmentThatFailsWhileItIsPlayed(String factory, String message) {
        fails(PythonTasksTest.own("faulty", factory, settings()), PythonException.Problem.FAILURE, message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    faulty | RaisingInConstructor | making the environment failed: RuntimeError: no licence
                    faulty | Unbounded            | wrap the environment so that its actions have finite bounds
                    faulty | Texting              | actions of the space Text are not supported: Box, Discrete, MultiDiscrete and MultiBinary are
                    faulty | Reading              | observations of the space Text are not supported: Box, Discrete
                    faulty | Missing              | has no Missing
                    absent | Env                  | there is no module src.test.resources.python.absent in
                    faulty.py | Raising           | : name the module, without .py
                    broken | Env                  | needs a_package_that_does_not_exist, which
                    """)
    void anEnvironmentThatCannotBeMade(String module, String factory, String message) {
        fails(PythonTasksTest.own(module, factory, settings()), PythonException.Problem.ENVIRONMENT, message);
    }

    @Test
    void anUnknownEnvironmentOfGymnasium() {
        fails(
                PythonTasks.task("gym:CartPoel-v1", settings()),
                PythonException.Problem.ENVIRONMENT,
                "NameNotFound: Environment `CartPoel` doesn't exist");
        fails(
                PythonTasks.task("gym:CartPole-v1", settings().withArguments("{\"wheels\": 3}")),
                PythonException.Problem.ENVIRONMENT,
                "unexpected keyword argument 'wheels'");
    }

    @Test
    void anEnvironmentThatHangsIsEndedAndShowsWhere() {
        Task hanging = PythonTasksTest.own("faulty", "Hanging", settings().withTimeout(Duration.ofSeconds(4)));
        fails(hanging, PythonException.Problem.TIMEOUT, "no answer for 4.0 seconds", "in step");
    }

    @Test
    void aPythonThatIsMissingOrLacksPackages() throws Exception {
        Task missing = PythonTasks.task("gym:CartPole-v1", settings().withInterpreter("/nowhere/python"));
        fails(
                missing,
                PythonException.Problem.INTERPRETER,
                "cannot start the Python '/nowhere/python'",
                "there is no such file");
        // a virtual environment without packages, made by hand: that is quicker
        Path venv = Files.createDirectories(folder.resolve("venv/bin"));
        Process asked =
                new ProcessBuilder(TestPython.withGymnasium(), "-c", "import sys; print(sys._base_executable)").start();
        String base = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        Files.writeString(
                folder.resolve("venv/pyvenv.cfg"),
                "home = " + Path.of(base).getParent() + "\ninclude-system-site-packages = false\n");
        Path python = Files.createSymbolicLink(venv.resolve("python"), Path.of(base));
        for (Path given : List.of(python, folder.resolve("venv"))) {
            Task bare = PythonTasks.task("gym:CartPole-v1", settings().withInterpreter(given.toString()));
            fails(
                    bare,
                    PythonException.Problem.ENVIRONMENT,
                    "has no numpy: install it with",
                    python + " -m pip install numpy");
        }
    }

    @Test
    void namesOfAnotherForm() {
        assertThatThrownBy(() -> PythonTasks.task("python:my_module", settings()))
                .hasMessageContaining("give python:MODULE:CLASS, such as python:my_module:MyEnv");
        assertThatThrownBy(() -> PythonTasks.task("gym:", settings()))
                .hasMessageContaining("give gym:ID, such as gym:CartPole-v1");
    }
}
