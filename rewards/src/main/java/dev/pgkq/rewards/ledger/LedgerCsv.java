package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.files.Csv;
import dev.pgkq.rewards.files.WholeFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes ledger entries as comma-separated values, one row per entry, with the sum of the rewards. Missing values are empty. */
public final class LedgerCsv {
    private static final String COLUMNS = "key,oracle,task,run,iteration,episode,steps,state,attempts,in_doubt,reused,"
            + "requested,started,finished,seconds,owner,lease_until,cost,rewards_sum,damaged,"
            + "unanswered,unanswered_cost,error\n";

    private LedgerCsv() {}

    /** Supplies the entries to write. */
    @FunctionalInterface
    public interface Source {
        /** Passes every entry to {@code reader}. */
        void read(Consumer<LedgerEntry> reader);
    }

    /** Writes all entries to a file, which it replaces atomically. */
    public static void write(Path file, Source entries) {
        WholeFile.replace(file, channel -> {
            try {
                // Not closed: the channel belongs to the caller.
                Writer writer = new BufferedWriter(Channels.newWriter(channel, StandardCharsets.UTF_8));
                writer.write(COLUMNS);
                entries.read(entry -> append(writer, entry));
                writer.flush();
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        });
    }

    private static void append(Writer writer, LedgerEntry entry) {
        try {
            writer.write(line(entry));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(LedgerEntry entry) {
        EvaluationId id = entry.id();
        LedgerEntry.Answered answered = entry.answered();
        return Csv.line(
                id.key(),
                id.oracle(),
                id.task(),
                id.run(),
                id.iteration(),
                id.episode(),
                id.steps(),
                entry.state().word(),
                entry.attempts(),
                entry.inDoubt(),
                entry.reused(),
                text(entry.requested()),
                text(entry.started()),
                text(entry.finished()),
                entry.took().map(took -> took.toMillis() / 1e3).orElse(Double.NaN),
                entry.owner(),
                text(entry.leaseUntil()),
                answered == null ? "" : answered.cost(),
                answered == null ? "" : answered.total(),
                answered != null && answered.damaged() ? "yes" : "",
                entry.unanswered().calls(),
                entry.unanswered().cost(),
                entry.error());
    }

    private static String text(@Nullable Instant instant) {
        return instant == null ? "" : instant.toString();
    }
}
