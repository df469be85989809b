package dev.pgkq.app.web;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Masks passwords and keys in settings and messages, for instance in the address of a ledger, before viewers see them:
 *
 * <ul>
 *   <li>the user and password of an address, {@code scheme://user:password@host};
 *   <li>every value of a query, {@code ?code=…&n=…};
 *   <li>the value after a name such as {@code password=}, {@code X-Api-Key:} or {@code --token}.
 * </ul>
 *
 * <p>A message may quote anything that a program or a service has written. So the text is scanned once from left to right, each
 * character is looked at a fixed number of times, and only the start of a very long text is kept.
 */
final class Secrets {
    /** Longer texts are cut. */
    static final int MAX_LENGTH = 16_384;

    private static final String MASK = "***";
    private static final Pattern SECRET_NAME = Pattern.compile("pass|secret|token|key|auth");
    /** The words before the secret in a header. */
    private static final Pattern SCHEME = Pattern.compile("(?i)(?:bearer|basic)\\s{1,8}");

    private final String text;
    private final StringBuilder shown = new StringBuilder();
    private int at;
    private int addressEnd;

    private Secrets(String text) {
        this.text = text;
    }

    static String mask(String text) {
        return text.length() <= MAX_LENGTH
                ? new Secrets(text).masked()
                : new Secrets(text.substring(0, MAX_LENGTH)).masked() + "…";
    }

    private String masked() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (at >= addressEnd && text.startsWith("://", at)) {
                address();
            } else if (c == '?' || c == '&') {
                query();
            } else if (isWord(c)) {
                word();
            } else {
                shown.append(text.charAt(at++));
            }
        }
        return shown.toString();
    }

    /** Copies the start of an address, without its user and password. A password may contain a slash. */
    private void address() {
        copyTo(at + 3);
        int user = at;
        for (addressEnd = at; addressEnd < text.length(); addressEnd++) {
            char c = text.charAt(addressEnd);
            if (isEnd(c) || c == '?') {
                break;
            }
            user = c == '@' ? addressEnd : user;
        }
        mask(user);
    }

    /** Copies the name of a parameter, and masks its value. */
    private void query() {
        copyTo(at + 1);
        int end = at;
        while (end < text.length() && !isEnd(text.charAt(end)) && "=?&#".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        if (end < text.length() && text.charAt(end) == '=') {
            copyTo(end + 1);
            maskUnquoted("&#");
        }
    }

    /** Copies a word, and masks the value after it if it names one. */
    private void word() {
        char before = at == 0 ? ' ' : text.charAt(at - 1);
        int start = at;
        int end = at;
        while (end < text.length() && isWord(text.charAt(end))) {
            end++;
        }
        copyTo(end);
        boolean isOption = Character.isWhitespace(before) && text.charAt(start) == '-';
        if (isSecretName(start, end) && copySeparator(isOption)) {
            maskValue();
        }
    }

    private boolean isSecretName(int start, int end) {
        return SECRET_NAME
                .matcher(text.substring(start, end).toLowerCase(Locale.ROOT))
                .find();
    }

    /** Copies what is between a name and its value: an equals sign or a colon, or after an option only spaces. */
    private boolean copySeparator(boolean isOption) {
        int next = afterSpaces(afterQuote(at));
        if (next < text.length() && "=:".indexOf(text.charAt(next)) >= 0) {
            copyTo(afterSpaces(next + 1));
            return true;
        }
        if (isOption && afterSpaces(at) > at) {
            copyTo(afterSpaces(at));
            return true;
        }
        return false;
    }

    private void maskValue() {
        int quoted = afterQuote(at);
        if (quoted > at) {
            char quote = text.charAt(quoted - 1);
            copyTo(quoted);
            int end = text.indexOf(quote, at);
            mask(end < 0 ? text.length() : end);
            return;
        }
        var scheme = SCHEME.matcher(text).region(at, text.length());
        if (scheme.lookingAt()) {
            copyTo(scheme.end());
        }
        maskUnquoted("&;");
    }

    private void maskUnquoted(String separators) {
        int end = at;
        while (end < text.length() && !isEnd(text.charAt(end)) && separators.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        mask(end);
    }

    private void mask(int end) {
        if (end > at) {
            shown.append(MASK);
            at = end;
        }
    }

    private void copyTo(int end) {
        shown.append(text, at, end);
        at = end;
    }

    /** The position after a quotation mark, which a backslash may precede. */
    private int afterQuote(int from) {
        int quote = from < text.length() && text.charAt(from) == '\\' ? from + 1 : from;
        return quote < text.length() && "\"'".indexOf(text.charAt(quote)) >= 0 ? quote + 1 : from;
    }

    private int afterSpaces(int from) {
        int end = from;
        while (end < text.length() && Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isWord(char c) {
        return c == '-' || c == '_' || (c < 128 && Character.isLetterOrDigit(c));
    }

    private static boolean isEnd(char c) {
        return Character.isWhitespace(c) || c == '"' || c == '\'';
    }
}
