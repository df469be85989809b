package dev.pgkq.app.export;

import dev.pgkq.app.config.Setting;
import dev.pgkq.app.training.TrainedRun;
import dev.pgkq.env.ActionSpace;
import dev.pgkq.policy.Policy;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.state.Snapshot;
import dev.pgkq.state.Tensor;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A policy without the state of its training. Tensors and entries have the names of checkpoints.
 *
 * @param tensors parameters by name
 * @param metadata what the network and its run are; all values are text
 * @param actions of the environment
 * @param version of pgkq
 */
public record ExportedPolicy(
        Map<String, Tensor> tensors, Map<String, String> metadata, ActionSpace actions, String version) {
    static final String POLICY = "policy/";

    public ExportedPolicy {
        tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
        metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
    }

    /** The policy of a run, which must fit the run's task. */
    public static ExportedPolicy of(TrainedRun run, String version) {
        Map<String, String> about = new TreeMap<>();
        about.put("task", run.task().id());
        about.put("time_limit", Integer.toString(run.task().spec().maxSteps()));
        if (run.config().has(Setting.ENV_ARGS)) {
            about.put("env_args", run.config().text(Setting.ENV_ARGS));
        }
        about.put("algorithm", run.config().text(Setting.ALGO));
        about.put("iteration", Integer.toString(run.snapshot().iteration()));
        run.snapshot().attributes().forEach((key, value) -> {
            if (key.startsWith(POLICY)) {
                about.put(key, value);
            }
        });
        return of(run.policy(), run.task().spec().actions(), about, version);
    }

    /** Tensors of a normalisation that has seen nothing are left out, since it does nothing. */
    static ExportedPolicy of(Policy policy, ActionSpace actions, Map<String, String> about, String version) {
        Snapshot.Builder builder = new Snapshot.Builder();
        policy.save("policy", builder);
        Snapshot saved = builder.build();
        Map<String, String> metadata = new TreeMap<>(about);
        metadata.putAll(saved.attributes());
        metadata.put("pgkq_version", version);
        Map<String, Tensor> tensors = new LinkedHashMap<>(saved.tensors());
        if (policy.inputScale().values().length == 0) {
            tensors.keySet().removeIf(name -> name.startsWith(POLICY + "observation/"));
        }
        return new ExportedPolicy(tensors, metadata, actions, version);
    }

    /** Units of each layer, observations first. */
    int[] sizes() {
        return Arrays.stream(entry("sizes").split(",", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    /** An entry about the policy. */
    String entry(String name) {
        return metadata.getOrDefault(POLICY + name, "");
    }

    /** Parameters of the policy. */
    Tensor tensor(String name) {
        Tensor tensor = tensors.get(POLICY + name);
        if (tensor == null) {
            throw new IllegalArgumentException("the policy has no " + name);
        }
        return tensor;
    }

    /** Whether the policy normalises observations. */
    boolean isNormalizing() {
        return tensors.containsKey(POLICY + "observation/mean");
    }

    /**
     * Writes it as an ONNX model.
     *
     * @throws dev.pgkq.text.UserException if the file cannot be written
     */
    public void writeOnnx(Path file) {
        WholeFile.replace(file, new OnnxPolicy(this).model());
    }

    /**
     * Writes it as a safetensors file.
     *
     * @throws dev.pgkq.text.UserException if the file cannot be written
     */
    public void writeSafetensors(Path file) {
        Safetensors.write(file, tensors, metadata);
    }
}
