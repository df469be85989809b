package dev.pgkq.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Plain Java, without the launcher, in a process that may open few files. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux tells the limit without further files")
class OpenFilesTest {
    private record Result(int exit, String out) {}

    private static Result version(int files) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("sh", "-c", "ulimit -n " + files + "; exec \"$@\"", "sh"));
        words.addAll(Tool.command());
        words.add("--version");
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Result(process.waitFor(), out);
    }

    @Test
    void fewFilesAreAnErrorThatNamesTheLimit() throws Exception {
        Result result = version(40);
        assertThat(result.out)
                .contains("pgkq: at least 256 open files are needed, but this process may have 40. Raise the limit")
                .doesNotContain("Exception", "\tat ");
        assertThat(result.exit).isEqualTo(2);
    }

    @Test
    void enoughFilesAreNoError() throws Exception {
        assertThat(version(OpenFiles.LEAST).exit).isZero();
    }
}
