package dev.pgkq.app.run;

import dev.pgkq.state.Snapshot;
import dev.pgkq.state.Tensor;
import dev.pgkq.statistics.Statistics;
import dev.pgkq.text.UserException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The policy of a run that had the highest mean return when it was tried. The file has the format of checkpoints, with the policy
 * and what its trial showed, and without the state of training. It is replaced atomically, and a resumed run goes on with it.
 *
 * @param file which need not exist yet
 */
public record BestPolicy(Path file) {
    private static final String POLICY = "policy/";
    private static final String OPTIMIZER = "policy/adam/";
    private static final String MEAN = "evaluation/return";
    private static final String ERROR = "evaluation/standard_error";
    private static final String EPISODES = "evaluation/episodes";

    /**
     * Keeps a policy if it is better than the one that is kept, or if that one is of the same iteration.
     *
     * @param state of the run
     * @param numerics the BLAS library and kernel that computed it
     * @param returns what the policy earned
     * @return whether it is kept
     */
    public boolean offer(Snapshot state, String numerics, Statistics returns) {
        Optional<Snapshot> kept = readable();
        if (kept.isPresent() && kept.get().iteration() != state.iteration() && !(returns.mean() > mean(kept.get()))) {
            return false;
        }
        Checkpoints.write(file, new Checkpoints.Saved(policyOf(state, returns), numerics));
        return true;
    }

    /**
     * What is kept; a damaged file is replaced by the next policy.
     *
     * @throws UserException if it cannot be read for another reason than damage: it may be the better one
     */
    private Optional<Snapshot> readable() {
        try {
            return Files.exists(file) ? Optional.of(read()) : Optional.empty();
        } catch (UserException e) {
            if (!Checkpoints.isDamage(e)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private static double mean(Snapshot kept) {
        try {
            return Double.parseDouble(kept.attributes().getOrDefault(MEAN, "-Infinity"));
        } catch (NumberFormatException e) {
            return Double.NEGATIVE_INFINITY;
        }
    }

    private static Snapshot policyOf(Snapshot state, Statistics returns) {
        Map<String, Tensor> tensors = new LinkedHashMap<>(state.tensors());
        tensors.keySet().removeIf(name -> !name.startsWith(POLICY) || name.startsWith(OPTIMIZER));
        Map<String, Long> counters = new LinkedHashMap<>(state.counters());
        counters.keySet()
                .removeIf(name ->
                        !name.equals(Snapshot.ITERATION) && (!name.startsWith(POLICY) || name.startsWith(OPTIMIZER)));
        Map<String, String> attributes = new LinkedHashMap<>(state.attributes());
        attributes.keySet().removeIf(name -> !name.equals("task") && !name.startsWith(POLICY));
        attributes.put(MEAN, Double.toString(returns.mean()));
        if (returns.count() > 1) {
            attributes.put(ERROR, Double.toString(returns.standardError()));
        }
        attributes.put(EPISODES, Integer.toString(returns.count()));
        return new Snapshot(tensors, counters, attributes);
    }

    /**
     * Reads the policy that is kept.
     *
     * @throws UserException if there is none, or it is damaged
     */
    public Snapshot read() {
        if (!Files.exists(file)) {
            throw new UserException(
                    file + " does not exist: the run was trained without --evaluate-every, or has not come to"
                            + " its first evaluation. Leave out --best to use the newest policy");
        }
        return Checkpoints.read(file).snapshot();
    }
}
