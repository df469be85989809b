package dev.pgkq.app.web;

import java.util.regex.Pattern;

/** Settings may hold passwords, for instance in the address of a ledger; whoever looks at a run need not know them. */
final class Secrets {
    /** {@code scheme://user:password@host}. */
    private static final Pattern IN_ADDRESS = Pattern.compile("(://[^/@\\s:]*:)[^/@\\s]+(?=@)");
    /** {@code password=…}, {@code token=…} and the like, in addresses and commands. */
    private static final Pattern NAMED =
            Pattern.compile("(?i)((?:pass(?:word|wd)?|secret|token|api[-_]?key|key|auth(?:orization)?)(?:=|:\\s*|\\s+))"
                    + "(?:bearer\\s+)?[^\\s&;\"']+");

    private Secrets() {}

    static String masked(String text) {
        return NAMED.matcher(IN_ADDRESS.matcher(text).replaceAll("$1***")).replaceAll("$1***");
    }
}
