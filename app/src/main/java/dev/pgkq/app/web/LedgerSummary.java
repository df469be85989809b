package dev.pgkq.app.web;

import dev.pgkq.app.ledger.LedgerEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a run has bought, summed up: entries in, JSON out. */
final class LedgerSummary implements Consumer<LedgerEntry> {
    private int outstanding;
    private int done;
    private int failed;
    private int inDoubt;
    private double spent;
    private long oldest = Long.MAX_VALUE;
    /** How many answers took from 2^k to 2^(k + 1) seconds, by k. */
    private final Map<Integer, Integer> seconds = new TreeMap<>();

    @Override
    public void accept(LedgerEntry entry) {
        switch (entry.state()) {
            case DONE -> done++;
            case FAILED -> failed++;
            case REQUESTED, RUNNING -> {
                if (entry.isInDoubt()) {
                    inDoubt++;
                } else if (!entry.isNotBought()) {
                    outstanding++;
                    oldest = Math.min(oldest, entry.requested().toEpochMilli());
                }
            }
        }
        spent += entry.cost();
        entry.took().ifPresent(took -> {
            double length = Math.max(1e-3, took.toMillis() / 1e3);
            seconds.merge((int) Math.floor(Math.log(length) / Math.log(2)), 1, Integer::sum);
        });
    }

    double spent() {
        return spent;
    }

    /** Whether somebody has waited for a reward since then. */
    boolean waitsSince(long millis) {
        return oldest <= millis;
    }

    Map<String, @Nullable Object> fields(OptionalDouble maxEvaluations, OptionalDouble maxCost) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("outstanding", outstanding);
        fields.put("done", done);
        fields.put("failed", failed);
        fields.put("inDoubt", inDoubt);
        fields.put("spent", spent);
        fields.put("maxEvaluations", maxEvaluations.isPresent() ? maxEvaluations.getAsDouble() : null);
        fields.put("maxCost", maxCost.isPresent() ? maxCost.getAsDouble() : null);
        List<Map<String, Object>> bins = new ArrayList<>();
        seconds.forEach((power, count) ->
                bins.add(Map.of("from", Math.pow(2, power), "to", Math.pow(2, power + 1), "count", count)));
        fields.put("seconds", bins);
        return fields;
    }
}
