package dev.pgkq.rewards.oracle;

import dev.pgkq.text.UserException;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits a command into words like a POSIX shell (POSIX.1-2024, Shell Command Language, 2.2 Quoting). It does nothing else that
 * a shell does: {@code $}, {@code *}, {@code |} and the like are ordinary characters.
 */
final class CommandWords {
    private static final String ESCAPED_IN_DOUBLE_QUOTES = "$`\"\\";

    private final String text;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    /** Quotes start a word even if they enclose nothing. */
    private boolean inWord;

    private int at;

    private CommandWords(String text) {
        this.text = text;
    }

    static List<String> split(String text) {
        return new CommandWords(text).split();
    }

    private List<String> split() {
        while (at < text.length()) {
            char c = text.charAt(at++);
            switch (c) {
                case ' ', '\t', '\n' -> endWord();
                case '\'' -> singleQuoted();
                case '"' -> doubleQuoted();
                case '\\' -> escaped();
                default -> append(c);
            }
        }
        endWord();
        return words;
    }

    private void singleQuoted() {
        int end = text.indexOf('\'', at);
        if (end < 0) {
            throw unfinished("'", at - 1);
        }
        inWord = true;
        word.append(text, at, end);
        at = end + 1;
    }

    private void doubleQuoted() {
        int start = at - 1;
        inWord = true;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return;
            }
            if (c == '\\' && at < text.length() && text.charAt(at) == '\n') {
                at++; // line continuation
            } else if (c == '\\' && at < text.length() && ESCAPED_IN_DOUBLE_QUOTES.indexOf(text.charAt(at)) >= 0) {
                word.append(text.charAt(at++));
            } else {
                word.append(c);
            }
        }
        throw unfinished("\"", start);
    }

    private void escaped() {
        if (at == text.length()) {
            throw new UserException("the command " + text + " ends with a backslash that escapes nothing");
        }
        char c = text.charAt(at++);
        if (c != '\n') {
            append(c);
        }
    }

    private void append(char c) {
        inWord = true;
        word.append(c);
    }

    private void endWord() {
        if (inWord) {
            words.add(word.toString());
            word.setLength(0);
            inWord = false;
        }
    }

    private UserException unfinished(String quote, int position) {
        return new UserException("the command " + text + " has an unclosed " + quote + " at character " + (position + 1)
                + "; write \\" + quote + " for the character itself");
    }
}
