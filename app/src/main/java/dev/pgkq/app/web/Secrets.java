package dev.pgkq.app.web;

import java.util.regex.Pattern;

/** Masks passwords and keys in settings and messages, for instance in the address of a ledger, before viewers see them. */
final class Secrets {
    private static final String NAME = "[\\w-]*(?:pass(?:word|wd)?|secret|token|key|auth(?:orization)?)[\\w-]*";
    private static final String VALUE = "(?:(?:bearer|basic)\\s+)?[^\\s&;\"']+";

    /** {@code scheme://user:password@host}. */
    private static final Pattern IN_ADDRESS = Pattern.compile("(://[^/@\\s:]*:)[^@\\s]+(?=@)");
    /** {@code password=…}, {@code X-Api-Key: …} and similar, in addresses, commands and headers. */
    private static final Pattern NAMED = Pattern.compile("(?i)(" + NAME + "[\"']?\\s*[=:]\\s*[\"']?)" + VALUE);
    /** {@code --token …}, in commands. */
    private static final Pattern OPTION = Pattern.compile("(?i)(\\s--?" + NAME + "\\s+[\"']?)" + VALUE);

    private Secrets() {}

    static String mask(String text) {
        String shown = IN_ADDRESS.matcher(text).replaceAll("$1***");
        shown = NAMED.matcher(shown).replaceAll("$1***");
        return OPTION.matcher(shown).replaceAll("$1***");
    }
}
