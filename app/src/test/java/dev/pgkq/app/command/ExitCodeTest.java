package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ExitCodeTest {
    private static final Pattern SECTION = Pattern.compile("(?ims)^#+ exit codes$.*?(?=^#|\\z)");
    private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| *([^|]*\\d[^|]*)\\|");
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    @Test
    void theDocumentationListsExactlyTheseCodes() throws IOException {
        Path runs = Path.of("..", "docs", "runs.md");
        String text = Files.readString(Files.exists(runs) ? runs : Path.of("..", "README.md"));
        Matcher section = SECTION.matcher(text);
        assertThat(section.find()).isTrue();
        List<Integer> listed = FIRST_CELL
                .matcher(section.group())
                .results()
                .flatMap(cell -> NUMBER.matcher(cell.group(1)).results().map(MatchResult::group))
                .map(Integer::valueOf)
                .toList();

        assertThat(listed)
                .containsExactlyElementsOf(
                        Arrays.stream(ExitCode.values()).map(ExitCode::code).toList());
    }
}
