package dev.pgkq.app.web;

import dev.pgkq.app.terminal.DurationHistogram;
import dev.pgkq.rewards.ledger.LedgerEntry;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Totals over a run's ledger entries, as JSON fields. */
final class LedgerSummary implements Consumer<LedgerEntry> {
    private int outstanding;
    private int done;
    private int failed;
    private int inDoubt;
    private int unanswered;
    private BigDecimal spent = BigDecimal.ZERO;
    private long oldest = Long.MAX_VALUE;
    /** Number of answers by duration, in the bins of the terminal's histogram. */
    private final NavigableMap<Integer, Integer> durations = new TreeMap<>();

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
        unanswered += entry.unanswered().calls();
        spent = spent.add(BigDecimal.valueOf(entry.cost()))
                .add(BigDecimal.valueOf(entry.unanswered().cost()));
        entry.took().ifPresent(took -> durations.merge(DurationHistogram.bin(took.toMillis() / 1e3), 1, Integer::sum));
    }

    double spent() {
        return spent.doubleValue();
    }

    /** Whether a reward has been outstanding since then, or longer. */
    boolean isWaitingSince(long millis) {
        return oldest <= millis;
    }

    Map<String, @Nullable Object> fields(OptionalDouble maxEvaluations, OptionalDouble maxCost) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("outstanding", outstanding);
        fields.put("done", done);
        fields.put("failed", failed);
        fields.put("inDoubt", inDoubt);
        fields.put("unanswered", unanswered);
        fields.put("spent", spent());
        fields.put("maxEvaluations", maxEvaluations.isPresent() ? maxEvaluations.getAsDouble() : null);
        fields.put("maxCost", maxCost.isPresent() ? maxCost.getAsDouble() : null);
        fields.put("seconds", bins());
        return fields;
    }

    /** The bins from the first to the last that is not empty. The last bin of all has no upper bound. */
    private List<Map<String, @Nullable Object>> bins() {
        List<Map<String, @Nullable Object>> bins = new ArrayList<>();
        double[] begins = DurationHistogram.binStarts();
        int first = durations.isEmpty() ? 0 : durations.firstKey();
        int end = durations.isEmpty() ? 0 : durations.lastKey() + 1;
        for (int bin = first; bin < end; bin++) {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            fields.put("from", begins[bin]);
            fields.put("to", bin + 1 < begins.length ? begins[bin + 1] : null);
            fields.put("count", durations.getOrDefault(bin, 0));
            bins.add(fields);
        }
        return bins;
    }
}
