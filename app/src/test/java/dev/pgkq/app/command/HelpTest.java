package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.config.Group;
import dev.pgkq.app.config.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {
    private static final Pattern OPTION = Pattern.compile("^  (?:-\\w, )?--([a-z-]+)", Pattern.MULTILINE);
    private static final Pattern VERSION = Pattern.compile("<artifactId>pgkq</artifactId>\\s*<version>(.+)</version>");

    private static List<String> options(String help) {
        return OPTION.matcher(help).results().map(match -> match.group(1)).toList();
    }

    @Test
    void theHelpOfTrainIsShort() {
        String help = Tool.run("train", "--help").out();

        assertThat(options(help))
                .contains("env", "reward", "config", "help-all")
                .hasSizeLessThan(25);
        assertThat(help).contains(Group.TASK.title() + ":").doesNotContain(Group.KERNEL.title());
    }

    @Test
    void theFullHelpOfTrainHasEverySettingOnceInItsGroup() {
        String help = Tool.run("train", "--help-all").out();

        assertThat(options(help)).containsAll(Setting.keys()).doesNotHaveDuplicates();
        assertThat(help)
                .contains(Arrays.stream(Group.values()).map(Group::title).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "--help-all"})
    void theHelpOfTrainFitsATerminal(String option) {
        assertThat(Tool.run("train", option).out().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "train", "doctor"})
    void theVersionIsThatOfTheBuild(String command) throws IOException {
        Matcher version = VERSION.matcher(Files.readString(Path.of("..", "pom.xml")));
        assertThat(version.find()).isTrue();
        String[] words = command.isEmpty() ? new String[] {"--version"} : new String[] {command, "--version"};

        assertThat(Tool.run(words).out()).isEqualToIgnoringNewLines("pgkq " + version.group(1));
    }
}
