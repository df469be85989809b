package dev.pgkq.app.web;

import dev.pgkq.app.terminal.DurationHistogram;
import dev.pgkq.rewards.ledger.LedgerEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
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
    /** How many answers took how long, by the bins of the terminal's histogram. */
    private final NavigableMap<Integer, Integer> seconds = new TreeMap<>();

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
        entry.took().ifPresent(took -> seconds.merge(DurationHistogram.bin(took.toMillis() / 1e3), 1, Integer::sum));
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
        fields.put("seconds", bins());
        return fields;
    }

    /** From the first that has something in it to the last; the longest of all has no end. */
    private List<Map<String, @Nullable Object>> bins() {
        List<Map<String, @Nullable Object>> bins = new ArrayList<>();
        double[] begins = DurationHistogram.binStarts();
        int first = seconds.isEmpty() ? 0 : seconds.firstKey();
        int end = seconds.isEmpty() ? 0 : seconds.lastKey() + 1;
        for (int bin = first; bin < end; bin++) {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            fields.put("from", begins[bin]);
            fields.put("to", bin + 1 < begins.length ? begins[bin + 1] : null);
            fields.put("count", seconds.getOrDefault(bin, 0));
            bins.add(fields);
        }
        return bins;
    }
}
