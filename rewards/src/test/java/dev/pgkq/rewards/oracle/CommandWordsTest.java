package dev.pgkq.rewards.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandWordsTest {
    /** The system's shell splits the same way. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "python3 score.py",
                "  a\tb  ",
                "'a b' \"c d\" e\\ f",
                "a'b'\"c\"d",
                "'' \"\" x",
                "\"a\\\"b\\\\c\\d\\$e\"",
                "'a\\b\"c' \\'x\\'",
                "a\\\nb \"c\\\nd\"",
                "--flag=\"with space\"",
                "\\\\ \\\" \\a",
                "äöü '→ ☃'"
            })
    void wordsAreThoseOfAShell(String text) throws IOException, InterruptedException {
        assertThat(CommandWords.split(text)).isEqualTo(shell(text));
    }

    @Test
    void randomQuotingIsSplitAsAShellDoes() throws IOException, InterruptedException {
        Random random = new Random(7);
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            String text;
            do {
                text = random.ints(1 + random.nextInt(12), 0, 6)
                        .mapToObj(c -> "ab '\"\\".substring(c, c + 1))
                        .reduce("", String::concat);
            } while (!isComplete(text));
            all.append(text).append(" next ");
        }
        assertThat(CommandWords.split(all.toString())).isEqualTo(shell(all.toString()));
    }

    private static boolean isComplete(String text) {
        try {
            CommandWords.split(text);
            return true;
        } catch (UserException e) {
            return false;
        }
    }

    private static List<String> shell(String text) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", "printf '%s\\0' " + text).start();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return Arrays.asList(words.substring(0, words.length() - 1).split("\0", -1));
    }

    @Test
    void aNewLineIsASpace() {
        assertThat(CommandWords.split("a\nb\n")).containsExactly("a", "b");
    }

    @Test
    void nothingIsExpanded() {
        assertThat(CommandWords.split("$HOME ~ *.py `date` a|b >c #d"))
                .containsExactly("$HOME", "~", "*.py", "`date`", "a|b", ">c", "#d");
    }

    @Test
    void whatIsNotFinishedIsAnError() {
        assertThatThrownBy(() -> CommandWords.split("python3 'score.py"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("has an unclosed ' at character 9");
        assertThatThrownBy(() -> CommandWords.split("x \"a\\\"")).isInstanceOf(UserException.class);
        assertThatThrownBy(() -> CommandWords.split("x \\"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("backslash");
    }
}
