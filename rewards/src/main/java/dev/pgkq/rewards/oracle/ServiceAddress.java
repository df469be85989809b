package dev.pgkq.rewards.oracle;

import dev.pgkq.text.UserException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The address of a service. A query and some parts of a path may be keys. {@link #identity} has a short hash instead of each,
 * so that two services with different keys remain different.
 *
 * @param uri the address
 * @param identity the address without secrets
 */
record ServiceAddress(URI uri, String identity) {
    private static final String MASK = "•••";
    private static final int HASH_DIGITS = 12;
    private static final int MAX_PORT = 65535;
    /** Shorter values are masked only together with their names: they are not secrets, and occur in any text. */
    private static final int SHORTEST_SECRET = 4;

    /** A part of a path that looks random: hexadecimal digits, or letters in both cases with digits. */
    private static final Pattern RANDOM =
            Pattern.compile("(?<=/)(?:[0-9a-fA-F-]{20,}|(?=[^/]*[0-9])(?=[^/]*[a-z])(?=[^/]*[A-Z])[\\w-]{20,})(?=/|$)");

    static ServiceAddress parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new UserException("the address " + withoutSecrets(text) + " is invalid: " + e.getReason()
                    + " at character " + (e.getIndex() + 1));
        }
        if (uri.getHost() == null || uri.getPort() > MAX_PORT) {
            throw new UserException("the address " + withoutSecrets(text)
                    + " has no host or an invalid port; it must look like https://judge.example.org/score");
        }
        if (uri.getRawUserInfo() != null) {
            throw new UserException(
                    "the address of " + uri.getHost() + " contains a user name or password, which would appear"
                            + " in files and on screens; put a token into the variable PGKQ_REWARD_TOKEN instead");
        }
        if (uri.getRawFragment() != null) {
            throw new UserException(
                    "the address " + withoutSecrets(text) + " contains a #, which is not sent to a service; remove it");
        }
        return new ServiceAddress(uri, withoutSecrets(text));
    }

    /** The identity that an address has or, if it is invalid, would have. */
    static String withoutSecrets(String text) {
        String address = text.replaceFirst("//[^/?#]*@", "//");
        int query = address.indexOf('?');
        String path = query < 0 ? address : address.substring(0, query);
        String shown = RANDOM.matcher(path).replaceAll(part -> hash(part.group()));
        return query < 0 ? shown : shown + "?" + hash(address.substring(query + 1));
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    /** Masks the query, its values and the keys in the path wherever they occur: a service may repeat what it was sent. */
    String masked(String text) {
        String shown = text;
        for (String secret : secrets()) {
            shown = shown.replace(secret, MASK);
        }
        return shown;
    }

    /** What must not be shown, the longest first. */
    private List<String> secrets() {
        String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
        Stream<String> parts = Stream.of(query.split("&")).flatMap(part -> {
            String value = part.substring(part.indexOf('=') + 1);
            return value.length() < SHORTEST_SECRET ? Stream.of(part) : spellings(value);
        });
        Stream<String> inPath = RANDOM.matcher(uri.getRawPath()).results().map(MatchResult::group);
        return Stream.concat(Stream.of(query), Stream.concat(parts, inPath))
                .filter(secret -> secret.length() >= SHORTEST_SECRET)
                .distinct()
                .sorted(Comparator.comparing(String::length).reversed())
                .toList();
    }

    /** A value as it is sent, as it is meant, and as others encode it. */
    private static Stream<String> spellings(String value) {
        String meant = URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        return Stream.of(
                value,
                meant,
                URLEncoder.encode(meant, StandardCharsets.UTF_8),
                meant.replace("\\", "\\\\").replace("\"", "\\\"").replace("/", "\\/"));
    }
}
