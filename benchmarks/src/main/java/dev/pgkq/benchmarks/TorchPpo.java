package dev.pgkq.benchmarks;

import static org.bytedeco.pytorch.global.torch.addmm;
import static org.bytedeco.pytorch.global.torch.minimum;
import static org.bytedeco.pytorch.global.torch.set_num_threads;

import dev.pgkq.gradient.AdvantageBatch;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamOptions;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;

/**
 * The peer: PPO's update of a Gaussian policy in libtorch, eager with autograd, as usually written in C++. Data and parameters
 * are converted to tensors once. An update is forward pass, clipped loss, backward pass and Adam.
 */
final class TorchPpo implements AutoCloseable {
    private static final double LOG_SQRT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

    /** Owns every native object created here; an update frees its temporary objects with its own scope. */
    private final PointerScope scope = new PointerScope();

    private final Tensor observations;
    private final Tensor actions;
    private final Tensor oldLogProbs;
    private final Tensor coefficients;
    private final Tensor[] weights;
    private final Tensor[] biases;
    private final Tensor logSigma;
    private final Adam adam;
    private final Scalar minusHalf = new Scalar(-0.5);
    private final Scalar constant;
    private final ScalarOptional low;
    private final ScalarOptional high;

    /**
     * @param sizes units of each layer, from the inputs to the outputs
     * @param parameters W_1, b_1, W_2, b_2, …, then log σ, as {@link dev.pgkq.policy.Policy} keeps them
     */
    TorchPpo(AdvantageBatch batch, int[] sizes, float[] parameters, double learningRate, double epsilon) {
        set_num_threads(1);
        int last = sizes.length - 1;
        observations = Tensor.create(batch.observations(), batch.size(), sizes[0]);
        actions = Tensor.create(batch.actions(), batch.size(), sizes[last]);
        oldLogProbs = Tensor.create(batch.oldLogProbs(), batch.size());
        coefficients = Tensor.create(batch.coefficients(), batch.size());
        weights = new Tensor[last];
        biases = new Tensor[last];
        TensorVector all = new TensorVector();
        int at = 0;
        for (int l = 0; l < last; l++) {
            weights[l] = parameter(all, parameters, at, sizes[l], sizes[l + 1]);
            at += sizes[l] * sizes[l + 1];
            biases[l] = parameter(all, parameters, at, sizes[l + 1]);
            at += sizes[l + 1];
        }
        logSigma = parameter(all, parameters, at, sizes[last]);
        adam = new Adam(all, new AdamOptions(learningRate));
        constant = new Scalar(sizes[last] * LOG_SQRT_TWO_PI);
        low = new ScalarOptional(new Scalar(1 - epsilon));
        high = new ScalarOptional(new Scalar(1 + epsilon));
    }

    private static Tensor parameter(TensorVector all, float[] values, int from, long... shape) {
        int count = (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        Tensor tensor = Tensor.create(Arrays.copyOfRange(values, from, from + count), shape);
        tensor.requires_grad_();
        all.push_back(tensor);
        return tensor;
    }

    /** Runs one update. It does not read the loss, so that nothing waits for it. */
    void update() {
        try (PointerScope garbage = new PointerScope()) {
            adam.zero_grad();
            objective().neg().backward();
            adam.step();
        }
    }

    private Tensor objective() {
        Tensor hidden = observations;
        for (int l = 0; l < weights.length; l++) {
            hidden = addmm(biases[l], hidden, weights[l]);
            hidden = l < weights.length - 1 ? hidden.relu_() : hidden.tanh();
        }
        Tensor distance = actions.sub(hidden).mul(logSigma.neg().exp());
        Tensor logProbs = distance.square().mul(minusHalf).sub(logSigma).sum(1).sub(constant);
        Tensor ratio = logProbs.sub(oldLogProbs).exp();
        Tensor clipped = ratio.clamp(low, high);
        return minimum(ratio.mul(coefficients), clipped.mul(coefficients)).sum();
    }

    /** Objective and gradient norm at the current parameters, on which both sides must agree. */
    double[] objectiveAndNorm() {
        try (PointerScope garbage = new PointerScope()) {
            adam.zero_grad();
            Tensor objective = objective();
            objective.backward();
            double squares = logSigma.grad().square().sum().item_double();
            for (int l = 0; l < weights.length; l++) {
                squares += weights[l].grad().square().sum().item_double();
                squares += biases[l].grad().square().sum().item_double();
            }
            return new double[] {objective.item_double(), Math.sqrt(squares)};
        }
    }

    @Override
    public void close() {
        scope.close();
    }
}
