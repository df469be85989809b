package dev.pgkq.app.web;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.RunHistory;
import dev.pgkq.text.UserException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is known of one run: read once, then only what was added. Of its rows the newest are kept, with their numbers; who
 * needs older ones reads the file. Threads may share it.
 */
final class RunFeed {
    /** A viewer who is further behind reads the file. */
    static final int ROWS_KEPT = 64;

    private static final int EVENTS_KEPT = 50;
    /** A reward that takes longer than this is waited for. */
    private static final long WAITING_MILLIS = 2000;

    private final ServedRun run;
    private final ServedFolder folder;
    private final Liveness liveness;
    private final FileTail config;
    private final FileTail metrics;
    private final FileTail events;

    private Map<String, String> settings = Map.of();
    private String ledger = "";
    private List<String> columns = List.of();
    private double[] lastRow = new double[0];
    private final Deque<Row> recent = new ArrayDeque<>();
    private final Deque<JsonNode> story = new ArrayDeque<>();
    private RunHistory.State end = RunHistory.State.OPEN;
    private int rows;
    private long generation = 1;

    /**
     * A row of the metrics.
     *
     * @param seq its number, from 1
     * @param checksum of its text
     * @param json as viewers are told of it
     */
    record Row(int seq, int checksum, String json) {
        static Row of(ServedRun run, int seq, String line, int columns) {
            String json = "{\"run\":" + Json.write(run.id()) + ",\"seq\":" + seq + ",\"row\":"
                    + MetricsCsv.row(line, columns) + "}";
            return new Row(seq, MetricsCsv.checksum(line), json);
        }
    }

    RunFeed(ServedRun run, ServedFolder folder, Liveness liveness) {
        this.run = run;
        this.folder = folder;
        this.liveness = liveness;
        this.config = new FileTail(run.directory().config(), folder::served);
        this.metrics = new FileTail(run.directory().metrics(), folder::served);
        this.events = new FileTail(run.directory().events(), folder::served);
    }

    ServedRun run() {
        return run;
    }

    /** Looks at the files; true if something is new. */
    synchronized boolean refresh() {
        boolean changed = refreshConfig();
        changed |= refreshMetrics();
        changed |= refreshEvents();
        return changed;
    }

    private boolean refreshConfig() {
        FileTail.News news = config.read();
        if (news.lines().isEmpty() && !news.restarted()) {
            return false;
        }
        Map<String, String> read = new LinkedHashMap<>();
        try {
            folder.served(run.directory().config())
                    .map(ConfigFile::read)
                    .orElse(Map.of())
                    .forEach((setting, given) -> read.put(setting.key(), given.text()));
        } catch (UserException e) {
            // of another version, or damaged: the rest is shown
        }
        ledger = read.getOrDefault(Setting.LEDGER.key(), "");
        read.replaceAll((key, text) -> Secrets.masked(text));
        settings = read;
        return true;
    }

    private boolean refreshMetrics() {
        FileTail.News news = metrics.read();
        if (news.restarted()) {
            generation++;
            rows = 0;
            columns = List.of();
            lastRow = new double[0];
            recent.clear();
        }
        List<String> lines = news.lines();
        if (columns.isEmpty() && !lines.isEmpty()) {
            columns = MetricsCsv.columns(lines.getFirst());
            lines = lines.subList(1, lines.size());
        }
        if (!lines.isEmpty()) {
            lastRow = MetricsCsv.values(lines.getLast(), columns.size());
        }
        int first = Math.max(0, lines.size() - ROWS_KEPT);
        rows += first;
        for (String line : lines.subList(first, lines.size())) {
            rows++;
            recent.addLast(Row.of(run, rows, line, columns.size()));
        }
        while (recent.size() > ROWS_KEPT) {
            recent.removeFirst();
        }
        return news.restarted() || !news.lines().isEmpty();
    }

    private boolean refreshEvents() {
        FileTail.News news = events.read();
        if (news.restarted()) {
            story.clear();
            end = RunHistory.State.OPEN;
        }
        for (String line : news.lines()) {
            JsonNode event = masked(Json.lenient(folder.withoutPlace(line)));
            end = switch (event.path("event").asString("")) {
                case "started", "resumed" -> RunHistory.State.OPEN;
                case "finished" -> RunHistory.State.FINISHED;
                case "stopped" -> RunHistory.State.STOPPED;
                case "failed" -> RunHistory.State.FAILED;
                default -> end;
            };
            story.addLast(event);
            if (story.size() > EVENTS_KEPT) {
                story.removeFirst();
            }
        }
        return news.restarted() || !news.lines().isEmpty();
    }

    /** Messages quote what programs and services said. */
    private static JsonNode masked(JsonNode event) {
        if (event instanceof ObjectNode fields) {
            for (String name : List.copyOf(fields.propertyNames())) {
                if (fields.get(name).isString()) {
                    fields.put(name, Secrets.masked(fields.get(name).asString()));
                }
            }
        }
        return event;
    }

    /**
     * How far it is.
     *
     * @param generation changes when rows that were told are no longer true
     */
    record Position(long generation, int rows) {}

    synchronized Position position() {
        return new Position(generation, rows);
    }

    /**
     * The generation of a row that a viewer knows by its number and checksum; 0 if it is not kept any more. Who knows none
     * is of the present one.
     */
    synchronized long generationOf(int seq, Optional<Integer> checksum) {
        boolean known = seq == 0
                || recent.stream().anyMatch(row -> row.seq == seq && checksum.equals(Optional.of(row.checksum)));
        return known ? generation : 0;
    }

    /** The rows after that one; empty if some of them are not kept any more, or it is not of this generation. */
    synchronized Optional<List<Row>> after(long ofGeneration, int seq) {
        if (ofGeneration != generation) {
            return Optional.empty();
        }
        if (seq >= rows) {
            return Optional.of(List.of());
        }
        if (recent.isEmpty() || recent.getFirst().seq() > seq + 1) {
            return Optional.empty();
        }
        return Optional.of(recent.stream().filter(row -> row.seq() > seq).toList());
    }

    /** Where its ledger is, by its settings, with the password if there is one; empty for the run directory. */
    synchronized String ledger() {
        return ledger;
    }

    /** A setting, without passwords; empty if the run has none. */
    synchronized String setting(Setting setting) {
        return settings.getOrDefault(setting.key(), "");
    }

    synchronized Map<String, String> settings() {
        return settings;
    }

    synchronized List<JsonNode> story() {
        return List.copyOf(story);
    }

    /**
     * The run as the list shows it.
     *
     * @param bought what its ledger says, if it has one
     */
    synchronized Map<String, @Nullable Object> card(Optional<LedgerSummary> bought) {
        long updated = Math.max(metrics.modified(), Math.max(events.modified(), config.modified()));
        Map<String, @Nullable Object> card = new LinkedHashMap<>();
        card.put("id", run.id());
        card.put("name", run.name());
        card.put("state", state(updated, bought));
        card.put("task", setting(Setting.ENV));
        card.put("algorithm", setting(Setting.ALGO));
        card.put("seed", number(setting(Setting.SEED)));
        card.put("reward", setting(Setting.REWARD));
        card.put("iterations", number(setting(Setting.ITERATIONS)));
        card.put("iteration", value("iteration"));
        card.put("return", value("return_mean"));
        card.put("rewardEvaluations", value("reward_evaluations"));
        card.put("cost", bought.map(LedgerSummary::spent).orElse(null));
        card.put("updated", updated);
        card.put("ratable", setting(Setting.REWARD).startsWith("human"));
        return card;
    }

    private String state(long updated, Optional<LedgerSummary> bought) {
        return switch (end) {
            case FINISHED -> "finished";
            case STOPPED, BUDGET -> "stopped";
            case FAILED -> "failed";
            case OPEN -> {
                if (!liveness.runs(run.directory(), updated)) {
                    yield "stopped";
                }
                long since = System.currentTimeMillis() - WAITING_MILLIS;
                yield bought.isPresent() && bought.get().waitsSince(since) ? "waiting" : "running";
            }
        };
    }

    private @Nullable Number value(String column) {
        int index = columns.indexOf(column);
        return index < 0 || index >= lastRow.length ? null : plain(lastRow[index]);
    }

    private static @Nullable Number number(String text) {
        try {
            return text.isEmpty() ? null : plain(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable Number plain(double value) {
        if (!Double.isFinite(value)) {
            return null;
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? (Number) (long) value : (Number) value;
    }
}
