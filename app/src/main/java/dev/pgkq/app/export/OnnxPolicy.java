package dev.pgkq.app.export;

import dev.pgkq.app.export.OnnxGraph.Element;
import dev.pgkq.env.ActionSpace;
import dev.pgkq.nn.InputScale;
import dev.pgkq.state.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A policy as an ONNX graph: from observations, as the environment gives them, to the action that {@code pgkq evaluate} plays,
 * in the environment's own units, and to the parameters of the distribution that actions are drawn from in training.
 * {@code docs/export.md} describes inputs and outputs.
 */
final class OnnxPolicy {
    private static final String PRODUCER = "pgkq";
    private static final String ACTION = "action";

    private final ExportedPolicy policy;
    private final OnnxGraph graph = new OnnxGraph();

    OnnxPolicy(ExportedPolicy policy) {
        this.policy = policy;
    }

    byte[] model() {
        int[] sizes = policy.sizes();
        String observation = graph.input("observation", sizes[0], "observations as the environment gives them");
        String outputs = network(normalized(observation), sizes.length - 1);
        switch (policy.actions()) {
            case ActionSpace.Box box -> gaussian(outputs, box);
            case ActionSpace.Discrete discrete -> categorical(outputs, discrete.categories());
        }
        return graph.model(PRODUCER, policy.version(), policy.metadata());
    }

    /** The steps of {@link InputScale}, in the same order, if the policy has one that has seen something. */
    private String normalized(String observation) {
        if (!policy.isNormalizing()) {
            return observation;
        }
        Tensor mean = policy.tensor("observation/mean");
        Tensor deviation = policy.tensor("observation/deviation");
        float[] factors = new float[deviation.values().length];
        for (int i = 0; i < factors.length; i++) {
            factors[i] = deviation.values()[i] == 0 ? 0 : 1 / deviation.values()[i];
        }
        String shifted =
                graph.node("Sub", "observation/shifted", observation, graph.constant("observation/mean", mean));
        String scaled = graph.node(
                "Mul",
                "observation/scaled",
                shifted,
                graph.constant("observation/factor", Tensor.of(factors, factors.length)));
        return graph.node(
                "Clip",
                "observation/normalized",
                scaled,
                graph.constant("observation/least", -InputScale.LIMIT),
                graph.constant("observation/most", InputScale.LIMIT));
    }

    /** The layers of the network, without what is applied to its outputs. */
    private String network(String input, int layers) {
        String activation = policy.entry("hidden_activation").equals("tanh") ? "Tanh" : "Relu";
        String value = input;
        for (int l = 0; l < layers; l++) {
            String layer = "layer" + l;
            String weight = graph.constant(layer + "/weight", policy.tensor(layer + "/weight"));
            String bias = graph.constant(layer + "/bias", policy.tensor(layer + "/bias"));
            value = graph.node("Gemm", Map.of("transB", 1), layer + "/sum", value, weight, bias);
            if (l < layers - 1) {
                value = graph.node(activation, layer + "/output", value);
            }
        }
        return value;
    }

    /** The steps of {@link ActionSpace.Box#decode}, in the same order. */
    private void gaussian(String outputs, ActionSpace.Box box) {
        int size = box.size();
        String mean = graph.node("Tanh", "mean", outputs);
        String one = graph.constant("one", 1f);
        String clipped = graph.node("Clip", "mean/clipped", mean, graph.constant("least", -1f), one);
        String shifted = graph.node("Add", "mean/shifted", clipped, one);
        String share = graph.node("Mul", "mean/share", shifted, graph.constant("half", 0.5f));
        float[] ranges = new float[size];
        for (int i = 0; i < size; i++) {
            ranges[i] = box.high()[i] - box.low()[i];
        }
        String scaled =
                graph.node("Mul", "mean/scaled", share, graph.constant("action_range", Tensor.of(ranges, size)));
        graph.node("Add", ACTION, scaled, graph.constant("action_low", Tensor.of(box.low(), size)));
        String logs = graph.constant("log_std/values", policy.tensor("log_std"));
        graph.node("Expand", "log_std", logs, graph.node("Shape", "mean/shape", mean));
        graph.output(ACTION, Element.FLOAT, size, "the mean action, in the environment's units");
        graph.output("mean", Element.FLOAT, size, "mean of the policy, where -1 and 1 are the bounds of actions");
        graph.output("log_std", Element.FLOAT, size, "logarithm of the standard deviation, in the same units");
    }

    /** Each part has its own categories among the outputs. */
    private void categorical(String outputs, int[] categories) {
        int parts = categories.length;
        List<String> logits = names("logits", parts);
        List<String> logs = names("log_probabilities", parts);
        List<String> taken = names(ACTION, parts);
        String sizes = graph.constant("categories", categories);
        graph.node("Split", Map.of("axis", 1), logits, List.of(outputs, sizes));
        for (int part = 0; part < parts; part++) {
            graph.node("LogSoftmax", Map.of("axis", 1), logs.get(part), logits.get(part));
            graph.node("ArgMax", Map.of("axis", 1), taken.get(part), logs.get(part));
        }
        graph.node("Concat", Map.of("axis", 1), List.of("log_probabilities"), logs);
        graph.node("Concat", Map.of("axis", 1), List.of(ACTION), taken);
        graph.output(ACTION, Element.INT64, parts, "the most probable category of each choice, from 0");
        graph.output(
                "log_probabilities",
                Element.FLOAT,
                IntStream.of(categories).sum(),
                "logarithm of each category's probability, choice by choice");
    }

    private static List<String> names(String of, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(of + "/" + i);
        }
        return names;
    }
}
