package dev.pgkq.rewards.cluster;

import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a cluster is used.
 *
 * @param master its address, in its own words
 * @param options its own settings
 * @param timeout how long a worker may be silent before it counts as lost
 * @param rewards whether rewards are computed there, too
 */
public record ClusterSettings(String master, Map<String, String> options, Duration timeout, boolean rewards) {
    /** @param options KEY=VALUE, separated by commas or white space */
    public static ClusterSettings of(String master, String options, Duration timeout, boolean rewards) {
        Map<String, String> parsed = new LinkedHashMap<>();
        for (String each : options.strip().split("[\\s,]+(?=spark\\.)")) {
            if (each.isEmpty()) {
                continue;
            }
            int at = each.indexOf('=');
            if (at < 1 || !each.startsWith("spark.")) {
                throw new UserException(
                        "--cluster-options needs KEY=VALUE with keys of Spark's, such as spark.executor.memory=4g, got '"
                                + Excerpt.first(each) + "'");
            }
            parsed.put(each.substring(0, at).strip(), each.substring(at + 1).strip());
        }
        return new ClusterSettings(master.strip(), parsed, timeout, rewards);
    }
}
