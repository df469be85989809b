package dev.pgkq.app.web;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.RunHistory;
import dev.pgkq.rewards.oracle.Evaluators;
import dev.pgkq.text.UserException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state of one run, read from its files and updated with what is appended to them. Keeps the latest rows of metrics;
 * older ones are read from the file. Thread-safe.
 */
final class RunFeed {
    /** Viewers that are further behind are served from the file. */
    static final int MAX_RECENT_ROWS = 64;

    private static final int MAX_EVENTS = 50;
    /** A run whose oldest outstanding reward is older than this is shown as waiting. */
    private static final long WAITING_MILLIS = 2000;

    private final ServedRun run;
    private final ServedFolder folder;
    private final Liveness liveness;
    private final FileTail configFile;
    private final FileTail metricsFile;
    private final FileTail eventsFile;

    private Map<String, String> settings = Map.of();
    private String ledger = "";
    private List<String> columns = List.of();
    private double[] lastRow = new double[0];
    private final Deque<Row> recent = new ArrayDeque<>();
    private final Deque<JsonNode> events = new ArrayDeque<>();
    private RunHistory.State end = RunHistory.State.OPEN;
    private int rows;
    private long generation = 1;

    /**
     * A row of metrics.
     *
     * @param seq sequence number, from 1
     * @param checksum checksum of its text
     * @param json data of the event that reports it
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
        this.configFile = new FileTail(run.directory().config(), folder::served);
        this.metricsFile = new FileTail(run.directory().metrics(), folder::served);
        this.eventsFile = new FileTail(run.directory().events(), folder::served);
    }

    ServedRun run() {
        return run;
    }

    /** Reads new content of the files; true if there is any. */
    synchronized boolean refresh() {
        boolean changed = refreshConfig();
        changed |= refreshMetrics();
        changed |= refreshEvents();
        return changed;
    }

    private boolean refreshConfig() {
        FileTail.Change change = configFile.read();
        if (change.lines().isEmpty() && !change.restarted()) {
            return false;
        }
        Map<String, String> read = new LinkedHashMap<>();
        try {
            folder.served(run.directory().config())
                    .map(ConfigFile::read)
                    .orElse(Map.of())
                    .forEach((setting, given) -> read.put(setting.key(), given.text()));
        } catch (UserException e) {
            // from another version, or damaged; the rest of the run is still shown
        }
        ledger = read.getOrDefault(Setting.LEDGER.key(), "");
        read.computeIfPresent(Setting.REWARD.key(), (_, text) -> Evaluators.shown(text));
        read.replaceAll((_, text) -> Secrets.mask(text));
        settings = read;
        return true;
    }

    private boolean refreshMetrics() {
        FileTail.Change change = metricsFile.read();
        if (change.restarted()) {
            generation++;
            rows = 0;
            columns = List.of();
            lastRow = new double[0];
            recent.clear();
        }
        List<String> lines = change.lines();
        if (columns.isEmpty() && !lines.isEmpty()) {
            columns = MetricsCsv.columns(lines.getFirst());
            lines = lines.subList(1, lines.size());
        }
        if (!lines.isEmpty()) {
            lastRow = MetricsCsv.values(lines.getLast(), columns.size());
        }
        int first = Math.max(0, lines.size() - MAX_RECENT_ROWS);
        rows += first;
        for (String line : lines.subList(first, lines.size())) {
            rows++;
            recent.addLast(Row.of(run, rows, line, columns.size()));
        }
        while (recent.size() > MAX_RECENT_ROWS) {
            recent.removeFirst();
        }
        return change.restarted() || !change.lines().isEmpty();
    }

    private boolean refreshEvents() {
        FileTail.Change change = eventsFile.read();
        if (change.restarted()) {
            events.clear();
            end = RunHistory.State.OPEN;
        }
        for (String line : change.lines()) {
            JsonNode event = masked(Json.objectOrEmpty(folder.withoutRoot(line)));
            end = switch (event.path("event").asString("")) {
                case "started", "resumed" -> RunHistory.State.OPEN;
                case "finished" -> RunHistory.State.FINISHED;
                case "stopped" -> RunHistory.State.STOPPED;
                case "failed" -> RunHistory.State.FAILED;
                default -> end;
            };
            events.addLast(event);
            if (events.size() > MAX_EVENTS) {
                events.removeFirst();
            }
        }
        return change.restarted() || !change.lines().isEmpty();
    }

    /** Masks secrets in an event, whose message may quote the output of programs and services. */
    private static JsonNode masked(JsonNode event) {
        if (event instanceof ObjectNode fields) {
            for (String name : List.copyOf(fields.propertyNames())) {
                if (fields.get(name).isString()) {
                    fields.put(name, Secrets.mask(fields.get(name).asString()));
                }
            }
        }
        return event;
    }

    /**
     * How much of the metrics has been read.
     *
     * @param generation increases when the file is replaced, so that rows sent before are no longer valid
     */
    record Position(long generation, int rows) {}

    synchronized Position position() {
        return new Position(generation, rows);
    }

    /**
     * The generation of a row that a viewer has, given its number and checksum; 0 if it is no longer kept. A viewer without
     * rows belongs to the current generation.
     */
    synchronized long generationOf(int seq, Optional<Integer> checksum) {
        boolean known = seq == 0
                || recent.stream().anyMatch(row -> row.seq == seq && checksum.equals(Optional.of(row.checksum)));
        return known ? generation : 0;
    }

    /** The rows after the given one; empty if some are no longer kept, or if the generation is not current. */
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

    /** Location of the ledger as in the settings, including any password; empty for the run directory. */
    synchronized String ledger() {
        return ledger;
    }

    /** The value of a setting, with secrets masked; empty if the run has none. */
    synchronized String setting(Setting setting) {
        return settings.getOrDefault(setting.key(), "");
    }

    synchronized Map<String, String> settings() {
        return settings;
    }

    synchronized List<JsonNode> events() {
        return List.copyOf(events);
    }

    /**
     * The fields that the list of runs shows.
     *
     * @param bought summary of the run's ledger, if it has one
     */
    synchronized Map<String, @Nullable Object> overview(Optional<LedgerSummary> bought) {
        long updated = updated();
        Map<String, @Nullable Object> overview = new LinkedHashMap<>();
        overview.put("id", run.id());
        overview.put("name", run.name());
        overview.put("state", state(updated, bought));
        overview.put("task", setting(Setting.ENV));
        overview.put("algorithm", setting(Setting.ALGO));
        overview.put("seed", number(setting(Setting.SEED)));
        overview.put("reward", setting(Setting.REWARD));
        overview.put("iterations", number(setting(Setting.ITERATIONS)));
        overview.put("iteration", value("iteration"));
        boolean external = RunConfig.isExternalReward(setting(Setting.REWARD));
        overview.put("external", external);
        overview.put("return", value(external ? "paid_return" : "return_mean"));
        overview.put("taskReturn", external && hasTaskReward() ? value("return_mean") : null);
        overview.put("rewardEvaluations", value("reward_evaluations"));
        overview.put("cost", bought.map(LedgerSummary::spent).orElse(null));
        overview.put("updated", updated);
        overview.put("ratable", setting(Setting.REWARD).startsWith("human"));
        return overview;
    }

    /** Whether the run is {@code running} or how it ended. Without its ledger, it is never {@code waiting}. */
    synchronized String state() {
        return state(updated(), Optional.empty());
    }

    private long updated() {
        return Math.max(metricsFile.modified(), Math.max(eventsFile.modified(), configFile.modified()));
    }

    private String state(long updated, Optional<LedgerSummary> bought) {
        return switch (end) {
            case FINISHED -> "finished";
            case STOPPED, BUDGET -> "stopped";
            case FAILED -> "failed";
            case OPEN -> {
                if (!liveness.isRunning(run.directory(), updated)) {
                    yield "stopped";
                }
                long since = System.currentTimeMillis() - WAITING_MILLIS;
                yield bought.isPresent() && bought.get().isWaitingSince(since) ? "waiting" : "running";
            }
        };
    }

    /** A task without a reward of its own gives 0 for every step. */
    private boolean hasTaskReward() {
        return !Objects.equals(value("return_mean"), 0L) || !Objects.equals(value("return_se"), 0L);
    }

    private @Nullable Number value(String column) {
        int index = columns.indexOf(column);
        return index < 0 || index >= lastRow.length ? null : toJsonNumber(lastRow[index]);
    }

    private static @Nullable Number number(String text) {
        try {
            return text.isEmpty() ? null : toJsonNumber(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable Number toJsonNumber(double value) {
        if (!Double.isFinite(value)) {
            return null;
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? (Number) (long) value : (Number) value;
    }
}
