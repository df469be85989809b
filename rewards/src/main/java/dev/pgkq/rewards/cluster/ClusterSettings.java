package dev.pgkq.rewards.cluster;

import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a run uses a cluster.
 *
 * @param master address of the cluster, in the format of its software
 * @param options settings of the cluster's software
 * @param timeout how long a worker may be silent before it counts as lost
 * @param rewards whether rewards are computed on the cluster, too
 */
public record ClusterSettings(String master, Map<String, String> options, Duration timeout, boolean rewards) {
    /**
     * Parses the options.
     *
     * @param options KEY=VALUE pairs, separated by commas or white space
     * @throws UserException if they are invalid
     */
    public static ClusterSettings of(String master, String options, Duration timeout, boolean rewards) {
        Map<String, String> parsed = new LinkedHashMap<>();
        for (String each : options.strip().split("[\\s,]+(?=spark\\.)")) {
            if (each.isEmpty()) {
                continue;
            }
            int at = each.indexOf('=');
            if (at < 1 || !each.startsWith("spark.")) {
                throw new UserException(
                        "cluster options must be KEY=VALUE pairs with Spark's keys, such as spark.executor.memory=4g, got '"
                                + Excerpt.first(each) + "'");
            }
            parsed.put(each.substring(0, at).strip(), each.substring(at + 1).strip());
        }
        return new ClusterSettings(master.strip(), parsed, timeout, rewards);
    }
}
