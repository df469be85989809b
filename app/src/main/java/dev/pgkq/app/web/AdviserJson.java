package dev.pgkq.app.web;

import dev.pgkq.advise.Estimates;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.advise.Advice;
import dev.pgkq.rewards.advise.Report;
import dev.pgkq.rewards.advise.RoundSummary;
import dev.pgkq.rewards.advise.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers of an adviser as JSON. Numbers that are not known are null. */
final class AdviserJson {
    private AdviserJson() {}

    static String of(Advice advice) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("round", advice.round());
        fields.put("judge", advice.judge());
        fields.put("source", advice.source() == 0 ? null : advice.source());
        fields.put("size", advice.size());
        fields.put("indices", advice.indices());
        fields.put("ids", advice.ids());
        fields.put("weights", advice.weights());
        fields.put("missing", advice.missing());
        fields.put("abandoned", advice.abandoned());
        fields.put("open", advice.open());
        fields.put("resumed", advice.resumed());
        fields.put("in_doubt", advice.inDoubt());
        Map<String, Object> owned = new LinkedHashMap<>();
        advice.owned().forEach((id, values) -> owned.put(id, values.length == 1 ? values[0] : values));
        fields.put("owned", owned);
        putErrors(fields, advice.errorBefore(), advice.expectedError(), advice.randomError());
        fields.put("spent", advice.spent());
        fields.put("left", limit(advice.left()));
        return Json.write(fields);
    }

    static String of(Report report) {
        StringBuilder json = new StringBuilder("{\"round\":").append(report.round());
        json.append(",\"complete\":").append(report.complete());
        json.append(",\"missing\":").append(Json.write(report.missing()));
        report.estimates().ifPresent(estimates -> {
            numbers(json, "mean", estimates.mean());
            numbers(json, "deviation", estimates.deviation());
            numbers(json, "corrected", estimates.corrected());
        });
        return json.append('}').toString();
    }

    private static void numbers(StringBuilder json, String name, double[] values) {
        json.append(",\"").append(name).append("\":[");
        for (int i = 0; i < values.length; i++) {
            json.append(i == 0 ? "" : ",");
            Json.number(json, values[i]);
        }
        json.append(']');
    }

    /** The columns of the estimates as NumPy reads them. */
    static double[][] columns(Estimates estimates) {
        return new double[][] {estimates.mean(), estimates.deviation(), estimates.corrected()};
    }

    static String of(List<RoundSummary> rounds) {
        List<Map<String, @Nullable Object>> list = new ArrayList<>();
        for (RoundSummary round : rounds) {
            list.add(fields(round));
        }
        return Json.write(Map.of("rounds", list));
    }

    static Map<String, @Nullable Object> fields(RoundSummary round) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("round", round.round());
        fields.put("judge", round.judge());
        fields.put("source", round.source() == 0 ? null : round.source());
        fields.put("open", round.open());
        fields.put("asked", round.asked().toString());
        fields.put("size", round.size());
        fields.put("chosen", round.chosen());
        fields.put("abandoned", round.abandoned());
        fields.put("owned", round.owned());
        putErrors(fields, round.errorBefore(), round.expectedError(), round.randomError());
        return fields;
    }

    static String of(Status status, String version) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("version", version);
        fields.put("judge", status.judge());
        fields.put("per", per(status.identity().grain()));
        fields.put("seed", status.identity().seed());
        fields.put("width", status.width() == 0 ? null : status.width());
        fields.put("rounds", status.rounds());
        fields.put("open", status.open());
        fields.put("lessons", status.lessons());
        fields.put("spent", status.spent());
        fields.put("left", limit(status.left()));
        fields.put("max_evaluations", limit(status.budget().evaluations()));
        fields.put("cost", status.cost());
        fields.put("max_cost", known(status.budget().cost()));
        fields.put("cost_of_one", status.budget().costOfOne());
        return Json.write(fields);
    }

    private static void putErrors(
            Map<String, @Nullable Object> fields, double errorBefore, double expectedError, double randomError) {
        fields.put("error_before", known(errorBefore));
        fields.put("expected_error", known(expectedError));
        fields.put("random_error", known(randomError));
    }

    static @Nullable Double known(double value) {
        return Double.isFinite(value) ? value : null;
    }

    /** What one score is for. */
    static String per(Grain grain) {
        return grain == Grain.STEP ? "step" : "item";
    }

    static @Nullable Long limit(long count) {
        return count == Long.MAX_VALUE ? null : count;
    }
}
