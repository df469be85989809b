package dev.pgkq.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.config.Setting;
import dev.pgkq.app.study.RunFinder;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.study.SyntheticRuns;
import dev.pgkq.train.Algorithm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepeatCommandsTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void neitherCommandsNorTitlesShowASecretInTheAddressOfAService() {
        SyntheticRuns.under(folder, 5)
                .with(Setting.REWARD, "https://user:pass1234@judge.example/score?code=s3cret")
                .finished("Hopper-v4", Algorithm.named("ppo-kq"), 1);

        Study study = Study.of(RunFinder.find(List.of(folder), _ -> {}));

        assertThat(study.tasks()).singleElement().asString().contains("Hopper-v4 (reward https://");
        assertThat(RepeatCommands.commands(study)).singleElement().asString().contains("judge.example/score");
        assertThat(study.tasks() + " " + RepeatCommands.commands(study) + " "
                        + study.runs().getFirst().settings())
                .doesNotContain("s3cret", "pass1234");
    }
}
