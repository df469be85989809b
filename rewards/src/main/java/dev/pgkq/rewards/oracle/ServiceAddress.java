package dev.pgkq.rewards.oracle;

import dev.pgkq.text.UserException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The address of a service.
 *
 * @param uri the address
 * @param identity the address without secrets: a query may contain a key, so it is replaced by a short hash
 */
record ServiceAddress(URI uri, String identity) {
    private static final int HASH_DIGITS = 12;
    private static final int MAX_PORT = 65535;

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

    private static String withoutSecrets(String text) {
        String address = text.replaceFirst("//[^/]*@", "//");
        int query = address.indexOf('?');
        return query < 0 ? address : address.substring(0, query) + "?" + hash(address.substring(query + 1));
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
