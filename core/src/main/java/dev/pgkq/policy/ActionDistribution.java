package dev.pgkq.policy;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.nn.ParameterLayout;
import dev.pgkq.random.RandomStream;

/**
 * The distribution π(·|s) of encoded actions. Its parameters are the outputs of the policy's network for s, one for each value
 * of an encoded action, and perhaps some that do not depend on s: the <i>free</i> ones, the last of the policy's parameters.
 *
 * <p>The entropy is a sum of two parts, of the free parameters and of the outputs.
 */
sealed interface ActionDistribution permits GaussianDistribution, CategoricalDistribution {
    /** Returns the distribution for a kind of actions. */
    static ActionDistribution of(ActionSpace actions) {
        return switch (actions) {
            case ActionSpace.Box box -> new GaussianDistribution(box.encodedSize());
            case ActionSpace.Discrete discrete -> new CategoricalDistribution(discrete.categories());
        };
    }

    /** Returns the number of outputs of the network, which is the number of values in an encoded action. */
    int size();

    /** Returns the number of free parameters. */
    int freeParameters();

    /** Sets the start values of the free parameters. */
    void initialize(float[] parameters);

    /** Adds the free parameters to the layout of the network's. */
    ParameterLayout layout(ParameterLayout network);

    /** Returns its name in a checkpoint; policies whose distributions have other names do not fit each other. */
    String name();

    /** Returns what {@link #activate} applies to the network's outputs, in words for a checkpoint. */
    String outputActivation();

    /** Converts the network's outputs to the form in which {@link Policy.Batch#outputs} has them. */
    void activate(float[] outputs, int rows);

    /** Draws the action of each row from the row's own stream. */
    void draw(float[] parameters, Policy.Batch batch, int rows, RandomStream[] streams);

    /** Sets the action of each row to the mean, or to the most probable one if actions are discrete. */
    void act(Policy.Batch batch, int rows);

    /** Computes log π(a|s) of each row. */
    void logProbs(float[] parameters, Policy.Batch batch, int rows);

    /**
     * Computes the gradients of factor_r log π(a_r|s_r) + entropyFactor H_r by the network's outputs before {@link #activate}
     * and, without the entropy, by the free parameters. H_r is the outputs' part of the entropy.
     */
    void gradients(float[] parameters, Policy.Batch batch, int rows, double entropyFactor);

    /** Returns the outputs' part of the entropy of a row, in nats. */
    double entropy(Policy.Batch batch, int row);

    /** Returns the free parameters' part of the entropy, in nats. */
    double freeEntropy(float[] parameters);

    /** Adds {@code factor} × the gradient of {@link #freeEntropy}. */
    void addFreeEntropyGradient(float factor, float[] into);
}
