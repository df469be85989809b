package dev.pgkq.app.study;

import dev.pgkq.statistics.MeanCurve;
import dev.pgkq.text.NearestNames;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Variant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The return to reach on each task: as specified, otherwise half-way between the first mean return of the small batch and
 * the best mean return of the large batch.
 */
public final class ReturnThresholds {
    private static final String OPTION = "--threshold";

    private final Map<String, Double> specified;

    private ReturnThresholds(Map<String, Double> specified) {
        this.specified = specified;
    }

    /**
     * Parses thresholds such as {@code Hopper-v4=2000}.
     *
     * @throws UserException if a text has another form, or names a task that is not in the study
     */
    public static ReturnThresholds of(List<String> texts, Study study) {
        Map<String, Double> specified = new LinkedHashMap<>();
        for (String text : texts) {
            int sign = text.lastIndexOf('=');
            if (sign <= 0) {
                throw new UserException(OPTION + " needs TASK=VALUE, for example Hopper-v4=2000, got '" + text + "'");
            }
            String task = text.substring(0, sign).strip();
            List<String> named = study.tasks().contains(task)
                    ? List.of(task)
                    : study.tasks().stream()
                            .filter(known -> known.startsWith(task + " ("))
                            .toList();
            if (named.size() > 1) {
                throw new UserException(OPTION + ": '" + task + "' has runs with several rewards, whose returns have"
                        + " different units; give the full name of one: " + String.join("; ", named));
            }
            if (named.isEmpty()) {
                throw new UserException(
                        OPTION + ": there are no runs of task '" + task + "'" + NearestNames.hint(task, study.tasks()));
            }
            double value = number(text.substring(sign + 1).strip(), text);
            named.forEach(known -> specified.put(known, value));
        }
        return new ReturnThresholds(specified);
    }

    private static double number(String value, String text) {
        try {
            double number = Double.parseDouble(value);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below, like a number that is not finite
        }
        throw new UserException(OPTION + " needs a number after the '=', got '" + text + "'");
    }

    /** The threshold of a comparison; empty if none was specified and the small or the large batch is missing. */
    public OptionalDouble of(Comparison comparison) {
        Double value = specified.get(comparison.task());
        if (value != null) {
            return OptionalDouble.of(value);
        }
        List<Double> ends = new ArrayList<>();
        comparison.only(Variant.SMALL).ifPresent(small -> ends.add(returns(small, comparison)[0]));
        comparison
                .only(Variant.LARGE)
                .ifPresent(large ->
                        ends.add(Arrays.stream(returns(large, comparison)).max().orElseThrow()));
        return ends.size() < 2 ? OptionalDouble.empty() : OptionalDouble.of((ends.getFirst() + ends.getLast()) / 2);
    }

    public boolean isSpecified(Comparison comparison) {
        return specified.containsKey(comparison.task());
    }

    private static double[] returns(Group group, Comparison comparison) {
        return MeanCurve.of(group.runs().stream()
                        .map(run -> run.curve(Axis.ITERATIONS, comparison.iterations()))
                        .toList())
                .mean();
    }
}
