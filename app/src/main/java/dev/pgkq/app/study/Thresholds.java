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
 * The return to be reached on each task: as given, otherwise half-way between the small batch's first and the large
 * batch's best mean return.
 */
public final class Thresholds {
    private static final String OPTION = "--threshold";

    private final Map<String, Double> given;

    private Thresholds(Map<String, Double> given) {
        this.given = given;
    }

    /**
     * Thresholds from texts such as {@code Hopper-v4=2000}.
     *
     * @throws UserException if one is not like that, or names a task that the study has not
     */
    public static Thresholds of(List<String> texts, Study study) {
        Map<String, Double> given = new LinkedHashMap<>();
        for (String text : texts) {
            int sign = text.lastIndexOf('=');
            if (sign <= 0) {
                throw new UserException(OPTION + " needs TASK=VALUE, for example Hopper-v4=2000, got '" + text + "'");
            }
            String task = text.substring(0, sign).strip();
            List<String> named =
                    study.tasks().stream().filter(known -> isNamed(known, task)).toList();
            if (named.isEmpty()) {
                throw new UserException(
                        OPTION + ": no run is of task '" + task + "'" + NearestNames.hint(task, study.tasks()));
            }
            double value = number(text.substring(sign + 1).strip(), text);
            named.forEach(known -> given.put(known, value));
        }
        return new Thresholds(given);
    }

    /** By its whole name, or without what was added to it in brackets. */
    private static boolean isNamed(String task, String name) {
        return task.equals(name) || task.startsWith(name + " (");
    }

    private static double number(String value, String text) {
        try {
            double number = Double.parseDouble(value);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below, as for a number that is not finite
        }
        throw new UserException(OPTION + " needs a number after the '=', got '" + text + "'");
    }

    /** The threshold of a comparison; empty where none was given and there are not both batches to put it between. */
    public OptionalDouble of(Comparison comparison) {
        Double value = given.get(comparison.task());
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

    public boolean isGiven(Comparison comparison) {
        return given.containsKey(comparison.task());
    }

    private static double[] returns(Group group, Comparison comparison) {
        return MeanCurve.of(group.runs().stream()
                        .map(run -> run.curve(Axis.ITERATIONS, comparison.iterations()))
                        .toList())
                .mean();
    }
}
