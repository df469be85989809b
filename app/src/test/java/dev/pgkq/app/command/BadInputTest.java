package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input gets one clear line and exit code 2, never a stack trace, and nothing is written. */
class BadInputTest {
    @TempDir
    private Path folder = Path.of("");

    private void refused(String words, String... args) {
        Tool.Result result = Tool.run(args);
        assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
        assertThat(result.err().lines().skip(1)).as("long lines are wrapped").allMatch(line -> line.startsWith("  "));
        assertThat(result.err()).startsWith("pgkq: ").contains(words).doesNotContain("Exception");
    }

    private void trainRefuses(String words, String... options) {
        String[] args = Stream.concat(
                        Stream.of("train", "--env", "Pendulum-v1", "--out", out()), Arrays.stream(options))
                .toArray(String[]::new);
        refused(words, args);
        assertThat(folder.resolve("run")).doesNotExist();
    }

    private String out() {
        return folder.resolve("run").toString();
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("experiment.yaml"), text).toString();
    }

    /** The shell makes the name: the locale of the tests may not be able to express it either. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no such locale")
    void aFileNameThatTheLocaleCannotExpressIsRefusedWithTheRemedy() throws Exception {
        Path log = folder.resolve("log");
        String script = "export LC_ALL=C; exec \"$@\" --out \"$0/$(printf 'K\\303\\274che')\"";
        Process process =
                Tool.start(List.of("sh", "-c", script, folder.toString()), log, "train", "--env", "Pendulum-v1");
        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(Files.readString(log).replaceAll("\\s+", " "))
                .contains("cannot be the name of a file in this locale", "LANG=C.UTF-8")
                .doesNotContain("internal error", "Exception");
    }

    @Test
    void anUnknownTaskIsAnsweredWithTheNearestNames() {
        refused("unknown task 'Hoper-v4'; did you mean Hopper-v4?", "train", "--env", "Hoper-v4", "--out", out());
    }

    @Test
    void anUnknownTaskMayBeOneInPython() {
        Tool.Result result = Tool.run("train", "--env", "mysim:Tank", "--out", out());

        assertThat(result.err().replaceAll("\\s+", " "))
                .contains("unknown task 'mysim:Tank'", "gym:ID and python:MODULE:CLASS")
                .doesNotContain("?.");
    }

    @Test
    void aCommandWithoutQuotesIsRecognized() {
        refused(
                "quotes belong around the whole reward: --reward \"exec:python3 my_score.py\"",
                "train",
                "--env",
                "Pendulum-v1",
                "--reward",
                "exec:python3",
                "my_score.py",
                "--out",
                out());
    }

    @Test
    void aProgramAsRewardNeedsExec() {
        Tool.Result result =
                Tool.run("train", "--env", "Pendulum-v1", "--reward", "python3 my_score.py", "--out", out());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err().replaceAll("\\s+", " ")).contains("did you mean \"exec:python3 my_score.py\"?");
        assertThat(Tool.run("train", "--reward", "./judges/my_score.py").err().replaceAll("\\s+", " "))
                .contains("did you mean \"python:judges.my_score:FUNCTION\", which calls a function in it, or"
                        + " \"exec:python3 ./judges/my_score.py\", which runs it as a program?");
    }

    /** As a variable of a shell that is not set. */
    @ParameterizedTest
    @ValueSource(strings = {"--reward", "--algo", "--cluster"})
    void anEmptyTextIsNotTheDefault(String option) {
        trainRefuses("''", option, "");
    }

    @Test
    void anUnknownAlgorithmIsAnsweredWithTheNearestNames() {
        trainRefuses("unknown algorithm 'pp'", "--algo", "pp");
    }

    @Test
    void moreSelectedThanSampledIsRefused() {
        trainRefuses("--select 9 is more than --batch 8", "--batch", "8", "--select", "9");
    }

    @Test
    void countsMustBePositive() {
        trainRefuses("--batch needs a whole number of at least 1, got '-3'", "--batch", "-3");
        trainRefuses("--iterations needs a whole number of at least 1, got '0'", "--iterations", "0");
        trainRefuses("--threads needs a whole number of at least 1", "--threads", "-1");
        trainRefuses("--epochs needs a whole number of at least 1", "--epochs", "0");
    }

    @Test
    void numbersMustBeNumbersInTheirRange() {
        trainRefuses("--batch needs a whole number, got 'many'", "--batch", "many");
        trainRefuses("--discount needs a number above 0, up to 1, got '1.5'", "--discount", "1.5");
        trainRefuses("--learning-rate needs a number above 0", "--learning-rate", "0");
        trainRefuses("--learning-rate needs a number, got 'NaN'", "--learning-rate", "NaN");
        trainRefuses("--clip needs a number between 0 and 1", "--clip", "2");
        trainRefuses("--kernel-scale needs a number between -50 and 50", "--kernel-scale", "800");
        trainRefuses("--kernel-noise needs a number between", "--kernel-noise", "-1000");
        trainRefuses("--kernel-learning-rate needs a finite number", "--kernel-learning-rate", "Infinity");
        trainRefuses("--score-dimensions needs a whole number from 0 to", "--score-dimensions", "100000000");
        trainRefuses("--gram-features needs an even number", "--gram-features", "7");
        trainRefuses("--kernel-points needs", "--kernel-points", "1");
        trainRefuses("--reward-memory needs a whole number from 0 to", "--reward-memory", "2147483647");
        trainRefuses("--quadrature needs one of recombination", "--quadrature", "herdin");
        trainRefuses(
                "--preset paper cannot be combined with ppo-kq-plus", "--preset", "paper", "--algo", "ppo-kq-plus");
        trainRefuses("--estimator needs one of bootstrap, e1, e2", "--estimator", "e3");
        trainRefuses("--standardize needs true or false", "--standardize", "perhaps");
    }

    @Test
    void whatDoesNotGoWithAClusterIsRefused() {
        trainRefuses("--reward-on cluster needs --cluster", "--reward-on", "cluster");
        trainRefuses("--reward-on needs one of here, cluster, got 'there'", "--reward-on", "there");
        trainRefuses("works only with --reward exec: and java:", "--cluster", "local", "--reward-on", "cluster");
        trainRefuses(
                "--cluster-options: cluster options must be KEY=VALUE",
                "--cluster",
                "local",
                "--cluster-options",
                "memory");
        trainRefuses(
                "--cluster-options: cluster options must be KEY=VALUE",
                "--cluster",
                "local",
                "--cluster-options",
                "memory=4g");
        trainRefuses(
                "--cluster-options spark.executor.memory=4g needs --cluster",
                "--cluster-options",
                "spark.executor.memory=4g");
        trainRefuses("--cluster needs an address", "--cluster", " ");
        trainRefuses("--cluster-timeout needs a number above 0", "--cluster", "local", "--cluster-timeout", "0");
        trainRefuses("give at most --batch 46340", "--batch", "50000");
    }

    @Test
    void anUnknownOptionIsAnsweredWithTheNearestOnes() {
        trainRefuses("unknown option '--iteration'; did you mean --iterations", "--iteration", "5");
        refused("unknown option '--evn'; did you mean --env", "train", "--evn", "Hopper-v4");
        trainRefuses("unknown option '--total_timesteps'; did you mean --iterations?", "--total_timesteps", "5");
        trainRefuses("unknown option '--lr'; did you mean --learning-rate?", "--lr", "5");
    }

    @Test
    void anUnknownCommandIsRefused() {
        refused("unknown argument 'trian'; did you mean train?", "trian");
    }

    @Test
    void anOutputFolderThatHoldsARunIsNotOverwritten() throws IOException {
        Path run = Files.createDirectory(folder.resolve("other"));
        Files.writeString(run.resolve("config.yaml"), "env: Pendulum-v1\n");
        refused("holds a run already: add --resume", "train", "--env", "Pendulum-v1", "--out", run.toString());
        assertThat(run.resolve("config.yaml")).hasContent("env: Pendulum-v1\n");
    }

    @Test
    void anOutputFolderWithOtherFilesIsLeftAlone() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(other.resolve("thesis.tex"), "precious");
        refused("is not empty and holds no run", "train", "--env", "Pendulum-v1", "--out", other.toString());
        assertThat(other).isDirectoryNotContaining("glob:**config.yaml");
    }

    @Test
    void aConfigFileThatCannotBeReadIsNamed() {
        trainRefuses(
                "missing.yaml: it does not exist",
                "--config",
                folder.resolve("missing.yaml").toString());
    }

    @Test
    void anUnknownKeyOfAConfigFileIsAnsweredWithTheNearestOnes() throws IOException {
        trainRefuses("unknown key 'batchsize'; did you mean batch", "--config", file("batchsize: 3\n"));
    }

    @Test
    void aConfigFileThatIsNotYamlIsRefusedWithThePlace() throws IOException {
        trainRefuses("experiment.yaml, line 2", "--config", file("batch: 3\nselect: [1, 2\n"));
        trainRefuses("must contain lines such as", "--config", file("- batch\n"));
        trainRefuses("'batch' needs a single value", "--config", file("batch: [1, 2]\n"));
    }

    @Test
    void settingsThatAreThereTwiceAreRefused() throws IOException {
        trainRefuses("'batch' is given twice", "--config", file("batch: 3\nseed: 1\nbatch: 4\n"));
        trainRefuses("a second one starts at '---'", "--config", file("batch: 3\n---\nbatch: 4\n"));
    }

    @Test
    void aConfigFileInAnotherEncodingIsRefused() throws IOException {
        Path file = folder.resolve("latin.yaml");
        Files.write(file, new byte[] {'#', ' ', (byte) 0xe4, '\n'});
        trainRefuses("latin.yaml: it is not UTF-8 text", "--config", file.toString());
    }

    @Test
    void aBadValueInAConfigFileIsReportedWithItsPlace() throws IOException {
        trainRefuses("batch in ", "--config", file("batch: -3\n"));
    }

    @Test
    void resumingNeedsARun() {
        refused("--resume needs --out DIR", "train", "--resume");
        refused("holds no run to resume", "train", "--resume", "--out", out());
    }

    @Test
    void evaluatingNeedsARun() {
        refused("is not a run directory", "evaluate", out());
    }

    @Test
    void checkingNeedsATaskThatExists() {
        refused("unknown task 'Pendulum'; did you mean Pendulum-v1", "envs", "--check", "Pendulum");
    }

    @Test
    void aFaultOfATaskIsReportedWithItsPlaceAndTheCheckerIsNamed() {
        assertThat(Tool.run("train", "--env", "Blind-v0", "--iterations", "1", "--out", out() + "1")
                        .err())
                .contains("observation 0 of Blind-v0 is NaN at step 0 of episode ")
                .contains("pgkq envs --check Blind-v0");
        assertThat(Tool.run("train", "--env", "Priceless-v0", "--iterations", "1", "--out", out() + "2")
                        .err())
                .contains("the reward of Priceless-v0 is NaN at step 0 of episode ")
                .contains("pgkq envs --check Priceless-v0");
        assertThat(Path.of(out() + "2").resolve("events.jsonl")).content().contains("\"failed\"");
    }

    @Test
    void tooLittleMemoryIsSaidInWords() {
        Tool.Result result = Tool.run(
                "train", "--env", "Pendulum-v1", "--algo", "ppo-large", "--batch", "2147483647", "--out", out());
        assertThat(result.exitCode()).isEqualTo(71);
        assertThat(result.err()).contains("out of memory").contains("--batch").doesNotContain("\tat ");
    }

    @Test
    void plotSaysWhatItNeeds() throws IOException {
        refused("missing required parameter: 'DIR'", "plot");
        refused("does not exist; specify folders that contain runs", "plot", out());
        refused("no runs under", "plot", folder.toString());
        refused("is not a folder", "plot", file("batch: 3"));
        refused("--budget needs a whole number of at least 1, got '0'", "plot", folder.toString(), "--budget", "0");
        refused("'many' is not an int", "plot", folder.toString(), "--budget", "many");
        refused("unknown option '--thresold'; did you mean --threshold?", "plot", out(), "--thresold", "a=1");
    }
}
