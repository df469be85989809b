package dev.pgkq.spark;

import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a run is: enough for an executor to make its simulators, policy and kernel.
 *
 * @param settings by key
 */
record Blueprint(TreeMap<String, String> settings) implements Serializable {
    Blueprint(Map<String, String> settings) {
        this(new TreeMap<>(settings));
    }
}
