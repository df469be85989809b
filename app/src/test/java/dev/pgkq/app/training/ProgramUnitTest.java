package dev.pgkq.app.training;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.rewards.files.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The unit in which a program gives its rewards does not matter: a power of two changes no bit of what is learned. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
class ProgramUnitTest {
    /** About 1e-9 and 1e9. */
    private static final double SMALL = 0x1p-30;

    private static final double LARGE = 0x1p30;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void largeRewardsOfStepsTeachTheSame() throws IOException {
        compare("ppo-kq-plus", "step", LARGE);
    }

    @Test
    void smallRewardsOfEpisodesTeachTheSame() throws IOException {
        compare("ppo-kq-plus", "episode", SMALL);
    }

    @ParameterizedTest
    @CsvSource({
        "ppo, step",
        "ppo-large, episode",
        "ppo-kq-plus, step",
        "ppo-kq-plus, episode",
        "ppo-kq, step",
        "ppo-kq, episode",
        "ppo-kq-no-mean, step",
        "ppo-kq-no-mean, episode",
        "ppo-kq-bayes, step",
        "ppo-kq-bayes, episode",
        "vpg-model-only, step"
    })
    @Tag("slow")
    void rewardsOfAnySizeTeachTheSame(String algorithm, String grain) throws IOException {
        compare(algorithm, grain, SMALL, LARGE);
    }

    private void compare(String algorithm, String grain, double... factors) throws IOException {
        Run plain = train(algorithm, grain, 1);
        assertThat(plain.policy).isNotEmpty();
        assertThat(plain.paid).doesNotContain(0);
        for (double factor : factors) {
            Run other = train(algorithm, grain, factor);
            assertThat(other.policy).as("policy, rewards × %s", factor).isEqualTo(plain.policy);
            assertThat(other.paid)
                    .as("paid returns, rewards × %s", factor)
                    .isEqualTo(
                            Arrays.stream(plain.paid).map(paid -> factor * paid).toArray());
        }
    }

    /** What a run paid for on average, and its last policy. */
    private record Run(double[] paid, List<Float> policy) {}

    private Run train(String algorithm, String grain, double factor) throws IOException {
        Path run = folder.resolve("run" + factor);
        Tool.Result result = Tool.run(
                "train",
                "--env",
                "Pendulum-v1",
                "--algo",
                algorithm,
                "--batch",
                "4",
                "--select",
                "2",
                "--iterations",
                "2",
                "--threads",
                "1",
                "--mean-epochs",
                "2",
                "--value-epochs",
                "2",
                "--kernel-updates",
                "4",
                "--reward",
                "exec:sh " + program() + " " + factor + " " + grain,
                "--reward-per",
                grain,
                "--out",
                run.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        Metrics metrics = Metrics.read(run.resolve("metrics.csv"));
        Path checkpoint;
        try (Stream<Path> files = Files.list(run.resolve("checkpoint"))) {
            checkpoint = files.filter(file -> file.toString().endsWith(".safetensors"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
        List<Float> policy = new ArrayList<>();
        Safetensors.read(checkpoint).tensors().forEach((name, tensor) -> {
            if (name.startsWith("policy")) {
                for (float value : tensor.values()) {
                    policy.add(value);
                }
            }
        });
        return new Run(metrics.column("paid_return"), policy);
    }

    /** Rewards 1 − a²/10 times a factor, with all their digits: one for each step, or their sum. */
    private Path program() throws IOException {
        Path program = folder.resolve("score.sh");
        Files.writeString(program, """
                LC_ALL=C exec awk -v factor="$1" -v grain="$2" '{
                    name = "\\"environmentActions\\":["
                    actions = substr($0, index($0, name) + length(name))
                    actions = substr(actions, 1, index(actions, "]]"))
                    gsub(/[][]/, "", actions)
                    count = split(actions, action, ",")
                    for (i = 1; i <= count; i++) {
                        reward = 1 - 0.1 * action[i] * action[i]
                        sum += reward
                        rewards = rewards (i > 1 ? "," : "") sprintf("%.17g", factor * reward)
                    }
                    if (grain == "step") print "{\\"rewards\\": [" rewards "]}"
                    else printf "{\\"return\\": %.17g}\\n", factor * sum
                }'
                """, UTF_8);
        return program;
    }
}
