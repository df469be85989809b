package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.advise.Estimates;
import dev.pgkq.advise.Items;
import dev.pgkq.app.LedgerCopy;
import dev.pgkq.app.Main;
import dev.pgkq.app.Tool;
import dev.pgkq.app.web.LoopLog.Line;
import dev.pgkq.rewards.advise.Advice;
import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.rewards.advise.DurableAdviser.Options;
import dev.pgkq.rewards.advise.Question;
import dev.pgkq.rewards.advise.Score;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.select.Pace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code pgkq advise} in a process of its own and a training loop in another, killed again and again at random and at chosen moments:
 * one of the two, or both. No score that was told is ever missing, nothing is asked for twice without being declared as in doubt, no
 * call escapes the count, and the estimates have the bits of an adviser that was never killed.
 *
 * <p>{@code mvn test -pl app -am -Dslow -Dtest=KilledAdviserTest -Dpgkq.kills=1000} kills more often, and
 * {@code -Dpgkq.kills.seed=6} at other moments. Fewer than 200 kills need not meet every moment.
 */
@Timeout(value = 4, unit = TimeUnit.HOURS)
class KilledAdviserTest {
    private static final String JUDGE = "judge";
    private static final String UNFINISHED = "unfinished checkpoint";
    private static final int USUAL_KILLS = 200;

    /** After this many times the wanted number, the test gives up on moments that no kill has met. */
    private static final int MOST_TIMES = 10;

    /** Whom a kill must have met, and what the loop was doing, at least once among many. */
    private static final Set<String> WANTED =
            Set.of("service ask", "service tell", "client ask", "client tell", "both ask", "both tell", UNFINISHED);

    /** The shortest times from an event to a kill are those of a moment divided by 2 so often. */
    private static final int SHORTEST = 10;

    @TempDir
    private Path folder = Path.of("");

    private final Random random = new Random(Integer.getInteger("pgkq.kills.seed", 5));
    private final Map<String, Integer> kills = new TreeMap<>();
    private Path adviser = Path.of("");
    private Path log = Path.of("");
    private Path out = Path.of("");
    private Path end = Path.of("");
    /** Checkpoints that a kill left unfinished. */
    private final Set<String> unfinished = new HashSet<>();

    /** Who is killed. */
    private enum Victim {
        SERVICE,
        CLIENT,
        BOTH
    }

    /**
     * When. The loop writes down what it does before it does it, so a request is under way after its line was written.
     *
     * @see AdviserLoop
     */
    private enum Moment {
        ASK("ask", 12),
        ASKED("asked", 12),
        TELL("tell", 8),
        TOLD("told", 2),
        COMPLETE("complete", 6),
        /** While a model's checkpoint is written. */
        CHECKPOINT("", 4),
        /** Mostly while Java starts or the adviser recovers. */
        START("", 1300),
        ANY("", 60);

        private final String line;
        private final int millis;

        Moment(String line, int millis) {
            this.line = line;
            this.millis = millis;
        }
    }

    @Test
    void killedTwiceNothingIsLostOrAskedForTwice() throws Exception {
        kill(List.of(Moment.TELL, Moment.ASK), 2, Set.of());
    }

    @Test
    @Tag("slow")
    void killedManyTimesNothingIsLostOrAskedForTwice() throws Exception {
        int least = Integer.getInteger("pgkq.kills", USUAL_KILLS);
        kill(List.of(Moment.values()), least, least < USUAL_KILLS ? Set.of() : WANTED);
    }

    /**
     * Kills and compares.
     *
     * @param least number of kills
     * @param wanted what they must have met; a moment may be so short that it takes more of them
     */
    private void kill(List<Moment> moments, int least, Set<String> wanted) throws Exception {
        adviser = folder.resolve("adviser");
        log = folder.resolve("loop.log");
        out = folder.resolve("out.txt");
        end = folder.resolve("end");
        long start = System.nanoTime();
        Process service = startService();
        Process client = startClient();
        int killed = 0;
        try {
            for (; killed < least || !unmet(wanted).isEmpty(); killed++) {
                assertThat(killed)
                        .as("kills, none of which met %s", unmet(wanted))
                        .isLessThan(MOST_TIMES * least);
                Moment moment = moments.get(killed % moments.size());
                // every victim at every moment
                int turn = killed % moments.size() + killed / moments.size();
                Victim victim = Victim.values()[turn % Victim.values().length];
                await(moment, service, client, killed < least ? 0 : random.nextInt(SHORTEST));
                if (victim != Victim.CLIENT) {
                    service.destroyForcibly();
                }
                if (victim != Victim.SERVICE) {
                    client.destroyForcibly().waitFor();
                }
                note(victim);
                if (victim != Victim.CLIENT) {
                    service.waitFor();
                    requireTold();
                    service = startService();
                }
                if (victim != Victim.SERVICE) {
                    client = startClient();
                }
            }
            Files.createFile(end);
            assertThat(client.waitFor()).as(this::out).isZero();
            service.getOutputStream().close();
            assertThat(service.waitFor()).as(this::out).isZero();
        } finally {
            service.destroyForcibly();
            client.destroyForcibly();
        }
        long seconds = (System.nanoTime() - start) / 1_000_000_000;
        String found = compare(killed);
        System.out.printf(
                Locale.ROOT,
                "%d kills in %d s %s, %d in the middle of a checkpoint: %s%n",
                killed,
                seconds,
                kills,
                unfinished.size(),
                found);
    }

    private Process startService() throws IOException {
        String select = Integer.toString(AdviserLoop.SELECT);
        return start(
                Main.class,
                "advise",
                adviser.toString(),
                "--port",
                "0",
                "--select",
                select,
                "--threads",
                "1",
                "--parent-stdin");
    }

    private Process startClient() throws IOException {
        return start(AdviserLoop.class, adviser.toString(), log.toString(), end.toString());
    }

    private Process start(Class<?> main, String... arguments) throws IOException {
        // processes that live for seconds are better off without the second compiler
        List<String> command = new ArrayList<>(Tool.command("-XX:TieredStopAtLevel=1"));
        command.set(command.size() - 1, main.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(out.toFile()))
                .start();
    }

    /** @param halvings how often the longest time between the event and the kill is halved */
    private void await(Moment moment, Process service, Process client, int halvings) throws IOException {
        Runnable alive = () ->
                assertThat(service.isAlive() && client.isAlive()).as(this::out).isTrue();
        if (moment == Moment.CHECKPOINT) {
            Set<String> before = unfinishedCheckpoints();
            while (before.containsAll(unfinishedCheckpoints())) {
                alive.run();
                LockSupport.parkNanos(20_000);
            }
        } else if (!moment.line.isEmpty()) {
            LoopLog.await(log, moment.line, alive);
        }
        LockSupport.parkNanos(random.nextInt(moment.millis * 1_000_000) >> halvings);
    }

    private Set<String> unmet(Set<String> wanted) {
        Set<String> unmet = new TreeSet<>(wanted);
        unmet.removeAll(kills.keySet());
        if (!unfinished.isEmpty()) {
            unmet.remove(UNFINISHED);
        }
        return unmet;
    }

    /** What the loop was doing. */
    private void note(Victim victim) throws IOException {
        List<Line> lines = LoopLog.read(log);
        String doing = lines.isEmpty() ? "nothing" : lines.getLast().what();
        kills.merge(victim.name().toLowerCase(Locale.ROOT) + " " + doing, 1, Integer::sum);
    }

    /** A checkpoint is written under another name first, which begins with a dot. */
    private Set<String> unfinishedCheckpoints() throws IOException {
        try (Stream<Path> files = Files.list(adviser.resolve("checkpoint"))) {
            Set<String> names = new HashSet<>();
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("."))
                    .forEach(names::add);
            return names;
        } catch (NoSuchFileException e) {
            return Set.of();
        }
    }

    /** No kill loses a score whose receipt was confirmed. */
    private void requireTold() throws IOException {
        unfinished.addAll(unfinishedCheckpoints());
        Map<String, Double> told = told();
        if (told.isEmpty()) {
            return;
        }
        assertThat(scores(LedgerCopy.entries(adviser, folder.resolve("copy")))).containsAllEntriesOf(byKey(told));
    }

    private Map<String, Double> told() throws IOException {
        Map<String, Double> told = new HashMap<>();
        for (Line line : LoopLog.read(log)) {
            if (line.is("told")) {
                line.words().forEach(id -> told.put(id, AdviserLoop.score(id)));
            }
        }
        return told;
    }

    private static Map<LedgerKey, Double> byKey(Map<String, Double> scores) {
        Map<LedgerKey, Double> byKey = new HashMap<>();
        scores.forEach((id, score) -> byKey.put(LedgerKey.ofItem(JUDGE, id), score));
        return byKey;
    }

    private static Map<LedgerKey, Double> scores(List<LedgerEntry> entries) {
        Map<LedgerKey, Double> scores = new HashMap<>();
        for (LedgerEntry entry : entries) {
            LedgerEntry.Answered answered = entry.answered();
            if (answered != null) {
                scores.put(entry.id().key(), answered.total());
            }
        }
        return scores;
    }

    private String compare(int killed) throws IOException {
        List<Line> lines = LoopLog.read(log);
        int batches = (int) lines.stream().filter(line -> line.is("complete")).count();
        assertThat(lines.stream().filter(line -> line.is("complete")).map(Line::batch))
                .as("every batch is completed once")
                .doesNotHaveDuplicates()
                .hasSize(batches);
        Map<String, Integer> asked = new HashMap<>();
        Map<String, Integer> declared = new HashMap<>();
        Map<String, Integer> judged = new HashMap<>();
        for (Line line : lines) {
            if (line.is("asked")) {
                for (String word : line.words()) {
                    String id = word.replace(AdviserLoop.DOUBT, "");
                    if (word.endsWith(AdviserLoop.DOUBT)) {
                        declared.merge(id, 1, Integer::sum);
                    } else {
                        assertThat(asked).as("asked for twice, undeclared").doesNotContainKey(id);
                    }
                    asked.merge(id, 1, Integer::sum);
                }
            } else if (line.is("score")) {
                line.words().forEach(id -> judged.merge(id, 1, Integer::sum));
            }
        }
        judged.forEach((id, times) ->
                assertThat(times).as("scores of an item").isLessThanOrEqualTo(1 + declared.getOrDefault(id, 0)));

        List<LedgerEntry> entries = LedgerCopy.entries(adviser);
        int inDoubt = entries.stream().mapToInt(LedgerEntry::inDoubt).sum();
        int answersHeard = asked.values().stream().mapToInt(times -> times).sum();
        assertThat(entries).extracting(LedgerEntry::state).containsOnly(State.DONE);
        assertThat(entries).hasSize(batches * AdviserLoop.SELECT);
        assertThat(scores(entries))
                .containsAllEntriesOf(byKey(told()))
                .containsExactlyInAnyOrderEntriesOf(all(entries));
        Options options = Options.defaults().withPace(new Pace.Fixed(AdviserLoop.SELECT));
        long unheard;
        try (DurableAdviser survivor = DurableAdviser.open(adviser, options);
                DurableAdviser quiet = DurableAdviser.open(folder.resolve("quiet"), options)) {
            assertThat(survivor.status().open()).isEmpty();
            assertThat(survivor.status().rounds()).isEqualTo(batches);
            assertThat(survivor.status().spent()).as("calls").isEqualTo(entries.size() + inDoubt);
            unheard = survivor.status().spent() - answersHeard;
            assertThat(unheard)
                    .as("items of answers that nobody heard")
                    .isBetween(0L, (long) killed * AdviserLoop.SELECT);
            for (int batch = 1; batch <= batches; batch++) {
                assertSame(survivor, quiet, batch);
            }
        }
        return batches + " batches, " + entries.size() + " scores, "
                + judged.values().stream().mapToInt(n -> n).sum() + " times judged, " + inDoubt + " times in doubt, "
                + unheard + " of answers that nobody heard";
    }

    /** The scores as the judge gave them, of what the ledger has. */
    private static Map<LedgerKey, Double> all(List<LedgerEntry> entries) {
        Map<LedgerKey, Double> all = new LinkedHashMap<>();
        for (LedgerEntry entry : entries) {
            String id = AdviserLoop.ids(entry.id().iteration()).get(entry.id().episode());
            assertThat(entry.id().key()).isEqualTo(LedgerKey.ofItem(JUDGE, id));
            all.put(entry.id().key(), AdviserLoop.score(id));
        }
        return all;
    }

    private static void assertSame(DurableAdviser killed, DurableAdviser quiet, int batch) {
        float[] features = AdviserLoop.features(batch);
        Items items = Items.points(features.length / AdviserLoop.ITEMS, features);
        Advice advice = quiet.ask(Question.of(items).withIds(AdviserLoop.ids(batch)));
        assertThat(killed.round(batch).ids()).as("batch %d", batch).isEqualTo(advice.ids());
        Map<String, Score> scores = new HashMap<>();
        advice.ids().forEach(id -> scores.put(id, Score.of(AdviserLoop.score(id))));
        Estimates expected = quiet.tell(batch, scores, true).estimates().orElseThrow();
        Estimates found = killed.estimates(batch).estimates().orElseThrow();
        assertThat(found.mean()).as("batch %d", batch).containsExactly(expected.mean());
        assertThat(found.deviation()).containsExactly(expected.deviation());
        assertThat(found.corrected()).containsExactly(expected.corrected());
    }

    private String out() {
        try {
            return Files.readString(out);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
