package dev.pgkq.train.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.gradient.AdvantageBatch;
import dev.pgkq.nn.RegressionTargets;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.select.Forecast;
import dev.pgkq.state.Snapshot;
import dev.pgkq.state.Tensor;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.reference.PlainFunction.Target;
import dev.pgkq.train.reference.PlainPolicy.Sample;
import dev.pgkq.train.reference.ReferenceTrainer.Choice;
import dev.pgkq.train.reference.ReferenceTrainer.Expectation;
import dev.pgkq.train.reference.ReferenceTrainer.Iteration;
import dev.pgkq.train.reference.ReferenceTrainer.Known;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Compares the main code with the reference. Vectors agree if the norm of their difference is small against the norm of the
 * expected vector; parameters, if it is small against the distance from their start values.
 *
 * <p>The main code rounds to float32, a relative error of 6e-8. Adam divides a gradient by its own size, so parameters whose
 * gradients are small against the others differ by more. Over two iterations of {@link CompositionTest}, the largest relative
 * differences are 1e-4 in what is computed from parameters, and 3e-3 in the distances that parameters have moved.
 */
final class Comparison {
    private static final double TOLERANCE = 1e-3;
    private static final double TOLERANCE_OF_PARAMETERS = 1e-2;
    private static final double TOLERANCE_OF_KERNEL = 0.1;

    private Comparison() {}

    static void samples(AdvantageBatch main, List<Sample> expected) {
        close(
                "s of the samples",
                main.observations(),
                expected.stream().flatMapToDouble(each -> Arrays.stream(each.s())));
        close("a of the samples", main.actions(), expected.stream().flatMapToDouble(each -> Arrays.stream(each.a())));
        close("log π_old of the samples", main.oldLogProbs(), expected.stream().mapToDouble(Sample::oldLogProb));
        close("A of the samples", main.coefficients(), expected.stream().mapToDouble(Sample::coefficient));
    }

    static void valueTargets(RegressionTargets main, List<Target> expected) {
        close(
                "inputs of V",
                main.inputs(),
                expected.stream()
                        .flatMapToDouble(each -> Arrays.stream(each.inputs().getFirst())));
        close("targets of V", main.values(), expected.stream().mapToDouble(Target::value));
        close("weights of V", main.weights(), expected.stream().mapToDouble(Target::weight));
    }

    static void report(IterationReport main, Iteration expected) {
        close("loss of V", main.valueLoss(), expected.valueLoss());
        // a sum of terms of both signs
        double unit = expected.samples().stream()
                .mapToDouble(sample -> Math.abs(sample.coefficient()))
                .sum();
        assertThat(main.step().objective())
                .as("objective")
                .isCloseTo(expected.step().objective(), within(TOLERANCE * unit));
        // log π_old is a float
        double divergence = expected.step().divergence();
        assertThat(main.step().divergence())
                .as("divergence")
                .isCloseTo(divergence, within(Math.max(1e-5, TOLERANCE * Math.abs(divergence))));
        close("clip fraction", main.step().clipFraction(), expected.step().clipped());
        close("gradient norm", main.step().gradientNorm(), expected.step().gradientNorm());
        close("entropy", main.step().entropy(), expected.step().entropy());
        close("error of m", main.lesson().meanError(), expected.meanError());
        expected.fit().ifPresent(fit -> {
            close("likelihood of k", main.lesson().logLikelihood(), fit.logLikelihood());
            assertThat(main.lesson().skipped()).isEqualTo(fit.skipped());
        });
    }

    /** The worst-case error of the paid episodes, and that of a random choice, which is its unit here. */
    static void worstCaseError(IterationReport main, Choice chosen, WeightedPoints paid) {
        double[][] k = chosen.gram();
        double count = k.length;
        double[] difference = new double[k.length];
        Arrays.fill(difference, -1 / count);
        for (int i = 0; i < paid.size(); i++) {
            difference[paid.indices()[i]] += paid.weights()[i];
        }
        double error = 0;
        double all = 0;
        double trace = 0;
        for (int i = 0; i < k.length; i++) {
            trace += k[i][i];
            for (int j = 0; j < k.length; j++) {
                error += difference[i] * difference[j] * k[i][j];
                all += k[i][j];
            }
        }
        double n = paid.size();
        double random = (1 / n) * (1 - n / count) * (count / (count - 1)) * (trace / count - all / (count * count));
        close("wce of random", main.choice().errorOfRandom(), Math.sqrt(random));
        double unit = random > 0 ? random : all / (count * count);
        assertThat(Math.abs(Math.pow(main.choice().error(), 2) - error) / unit)
                .as("squared wce")
                .isLessThan(TOLERANCE);
    }

    /** What kq-bayes expects. */
    static void forecast(Forecast main, Expectation expected) {
        close("κ", main.inflation(), expected.inflation());
        close("expected squares of errors", main.variances(), expected.variances());
        assertThat(main.errors()).hasSameSizeAs(expected.errors());
        for (int i = 0; i < expected.errors().length; i++) {
            close("expected error with " + i + " paid for", main.errors()[i], expected.errors()[i]);
        }
        close("expected error with one more", main.next(), expected.next());
    }

    /** The sums of kq-bayes that are comparable: those of its calibration. */
    static void belief(Snapshot main, PlainBelief expected) {
        close(
                "calibration",
                main.tensor("calibration").values(),
                DoubleStream.of(expected.pooledSquares, expected.pooledCount));
    }

    static void memory(Snapshot main, List<Known> expected) {
        close(
                "lengths in memory",
                main.tensor("reward_memory/lengths").values(),
                expected.stream().mapToDouble(each -> each.rewards().length));
        close(
                "rewards in memory",
                main.tensor("reward_memory/rewards").values(),
                expected.stream().flatMapToDouble(each -> Arrays.stream(each.rewards())));
        close(
                "weights in memory",
                main.tensor("reward_memory/weights").values(),
                expected.stream().flatMapToDouble(each -> Arrays.stream(each.importance())));
        close(
                "inputs in memory",
                main.tensor("reward_memory/inputs").values(),
                expected.stream()
                        .flatMapToDouble(each -> IntStream.range(0, each.rewards().length)
                                .boxed()
                                .flatMapToDouble(
                                        t -> Arrays.stream(each.episode().z(t)))));
    }

    /** A network and the state of its optimizer. */
    static void network(String name, Snapshot main, PlainNetwork expected, double[] start) {
        moments(name, main, expected, TOLERANCE);
        close(
                "parameters of " + name,
                moved(tensors(main, name + "/"), start),
                moved(expected.parameters, start),
                TOLERANCE_OF_PARAMETERS);
    }

    private static void moments(String name, Snapshot main, PlainNetwork expected, double tolerance) {
        close("first moments of " + name, tensors(main, name + "/adam/m/"), expected.firstMoments, tolerance);
        close("second moments of " + name, tensors(main, name + "/adam/v/"), expected.secondMoments, tolerance);
    }

    /**
     * The kernel. It depends on differences of features only, so the biases of units that are always on have no gradient. Adam
     * makes full steps of what rounding leaves of it. Parameters are compared if their gradients never were that small. A bias
     * may turn a unit on or off for another step, which changes the other gradients by a few percent.
     */
    static void kernel(Snapshot main, PlainKernel expected) {
        moments("kernel", main, expected.network, TOLERANCE_OF_KERNEL);
        double[] actual = moved(tensors(main, "kernel/"), expected.start);
        double[] wanted = moved(expected.network.parameters, expected.start);
        for (int i = 0; i < actual.length; i++) {
            actual[i] = expected.network.negligible[i] ? wanted[i] : actual[i];
        }
        close("parameters of kernel", actual, wanted, TOLERANCE_OF_KERNEL);
    }

    private static double[] moved(double[] values, double[] start) {
        double[] moved = new double[values.length];
        for (int i = 0; i < moved.length; i++) {
            moved[i] = values[i] - start[i];
        }
        return moved;
    }

    /** A function, and its units unless they are raw. */
    static void function(String name, Snapshot main, PlainFunction expected, double[] start) {
        network(name, main, expected.network, start);
        if (main.tensors().containsKey(name + "/units")) {
            close("units of " + name, main.tensor(name + "/units").values(), expected.units());
        }
    }

    /** All layers below a name, one after another. */
    private static double[] tensors(Snapshot main, String prefix) {
        List<double[]> parts = new ArrayList<>();
        main.tensors().forEach((name, tensor) -> {
            String below = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
            if (!below.isEmpty() && !below.startsWith("adam/") && !below.equals("units")) {
                parts.add(flat(tensor));
            }
        });
        return parts.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    /** The values of a tensor; of a matrix of weights, which a checkpoint has as outputs × inputs, its transpose. */
    private static double[] flat(Tensor tensor) {
        float[] values = tensor.values();
        double[] flat = new double[values.length];
        int outputs = tensor.shape()[0];
        int inputs = values.length / outputs;
        for (int i = 0; i < flat.length; i++) {
            flat[i] = values[i % outputs * inputs + i / outputs];
        }
        return flat;
    }

    static void close(String what, float[] actual, DoubleStream expected) {
        double[] values = new double[actual.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = actual[i];
        }
        close(what, values, expected.toArray());
    }

    static void close(String what, double actual, double expected) {
        if (!(Double.isNaN(actual) && Double.isNaN(expected))) {
            close(what, new double[] {actual}, new double[] {expected});
        }
    }

    static void close(String what, double[] actual, double[] expected) {
        close(what, actual, expected, TOLERANCE);
    }

    private static void close(String what, double[] actual, double[] expected, double tolerance) {
        assertThat(actual).as(what).hasSameSizeAs(expected);
        double difference = 0;
        double size = 0;
        for (int i = 0; i < expected.length; i++) {
            difference += (actual[i] - expected[i]) * (actual[i] - expected[i]);
            size += expected[i] * expected[i];
        }
        assertThat(Math.sqrt(difference))
                .as("difference in %s, of size %s", what, Math.sqrt(size))
                .isLessThanOrEqualTo(tolerance * Math.sqrt(size));
    }
}
