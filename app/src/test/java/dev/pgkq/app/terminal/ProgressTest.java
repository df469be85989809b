package dev.pgkq.app.terminal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.text.Paragraph;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final Optional<Duration> LEFT = Optional.of(Duration.ofSeconds(185));

    private final AtomicLong clock = new AtomicLong();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private static IterationView view(int iteration, int total) {
        return new IterationView(iteration, total, 1234.5, 12.345, Double.NaN, 812.4, 96_000, 15_234, 0);
    }

    @Test
    void aWideTerminalShowsEverything() {
        assertThat(ProgressLine.fitted(view(120, 500), LEFT, 120, true))
                .isEqualTo("[███████░░░░░░░░░░░░░░░░░░░░░░░] 120/500  return 1235 ± 12.35  length 812  rewards 96.0k"
                        + "  15.2k steps/s  ETA 3m 05s");
    }

    @Test
    void itFitsInAnyWidthAndDropsWhatMattersLeastFirst() {
        IterationView diverged =
                new IterationView(9_999, 10_000, -123456.7, 1234.5, Double.NaN, 1000, 9_999_999, 123_456, 12);
        for (boolean unicode : new boolean[] {true, false}) {
            for (int width = 0; width <= 200; width++) {
                assertThat(ProgressLine.fitted(diverged, LEFT, width, unicode).length())
                        .isLessThanOrEqualTo(width);
            }
        }
        assertThat(ProgressLine.fitted(view(120, 500), LEFT, 75, true))
                .contains("120/500  return 1235 ± 12.35  length 812  ETA 3m 05s")
                .startsWith("[█");
        assertThat(ProgressLine.fitted(view(120, 500), LEFT, 19, true))
                .contains("120/500")
                .doesNotContain("return");
        assertThat(ProgressLine.fitted(diverged, LEFT, 80, true)).contains("12 diverged");
    }

    /** 120 iterations took 960 rewards, 8 each. */
    @Test
    void aBudgetThatEndsFirstIsWhatTheTimeIsFor() {
        IterationView outside = new IterationView(120, 500, 1234.5, 12.345, 7.25, 812.4, 960, 15_234, 0);
        assertThat(outside.end()).isEqualTo(500);
        assertThat(outside.within(Long.MAX_VALUE).end()).isEqualTo(500);
        assertThat(outside.within(960 + 80).end()).isEqualTo(130);
        assertThat(outside.within(960 + 79).end()).isEqualTo(130);
        assertThat(outside.within(960 + 81).end()).isEqualTo(131);
        assertThat(outside.within(960 + 7).end()).isEqualTo(121);
        assertThat(ProgressLine.plain(outside.within(1000), LEFT, true)).endsWith("  ETA 3m 05s to the budget");
        assertThat(ProgressLine.plain(outside.within(960), LEFT, true)).doesNotContain("ETA");
    }

    @Test
    void aTaskWithoutARewardOfItsOwnHasNoReturn() {
        IterationView paid = new IterationView(120, 500, Double.NaN, Double.NaN, 7.25, 812.4, 960, 15_234, 0);
        assertThat(ProgressLine.plain(paid, LEFT, true))
                .contains("  paid return 7.25  length 812")
                .doesNotContain("NaN", "task");
        IterationView unpaid = new IterationView(120, 500, Double.NaN, Double.NaN, Double.NaN, 812.4, 960, 15_234, 0);
        assertThat(ProgressLine.plain(unpaid, LEFT, true))
                .startsWith("iteration 120/500  length 812")
                .doesNotContain("return");
    }

    /** The second iteration took 5 s and people an hour. */
    @Test
    void timesToGoAreWithoutThoseOfPeople() {
        PlainProgress progress = plain();
        progress.show(view(1, 3).ratedIn(Duration.ZERO));
        clock.addAndGet(Duration.ofHours(1).plusSeconds(5).toNanos());
        progress.show(view(2, 3).ratedIn(Duration.ofHours(1)));
        assertThat(screen()).last().asString().endsWith("  ETA 2.5s, without ratings");
    }

    @Test
    void rewardsFromOutsideAreToldFromTheTasksOwn() {
        IterationView outside = new IterationView(120, 500, 1234.5, 12.345, 7.25, 812.4, 960, 15_234, 0);
        assertThat(ProgressLine.plain(outside, LEFT, true))
                .isEqualTo("iteration 120/500  paid return 7.25  task return 1235 ± 12.35  length 812  rewards 960"
                        + "  15.2k steps/s  ETA 3m 05s");
        assertThat(ProgressLine.fitted(outside, LEFT, 50, true))
                .contains("paid return 7.25", "ETA")
                .doesNotContain("task");
    }

    @Test
    void theBarIsEmptyAtFirstAndFullAtLast() {
        assertThat(ProgressLine.fitted(view(1, 500), LEFT, 79, false)).startsWith("[....");
        String last = ProgressLine.fitted(view(500, 500), LEFT, 79, false);
        assertThat(last)
                .startsWith("[####")
                .contains("#] 500/500")
                .doesNotContain("ETA")
                .doesNotContain(".]");
    }

    @Test
    void aTerminalWithoutTheCharactersGetsAscii() {
        try (TerminalProgress progress = terminal(US_ASCII, 100)) {
            progress.show(view(1, 2));
        }
        assertThat(bytes.toString(US_ASCII)).contains("####").contains("+-").doesNotContain("?");
    }

    @Test
    void messagesScrollByAboveTheLine() {
        TerminalProgress progress = terminal(UTF_8, 60);
        progress.show(view(1, 3));
        progress.message(
                "a message that is longer than the line of progress, as messages with paths in them often are");
        clock.addAndGet(1_000_000_000L);
        progress.show(view(2, 3));
        progress.message("short");
        progress.finish();
        progress.finish();

        List<String> screen = screen();

        assertThat(screen).hasSize(4);
        assertThat(screen.get(0)).isEqualTo("a message that is longer than the line of progress, as");
        assertThat(screen.get(1)).isEqualTo("  messages with paths in them often are");
        assertThat(screen.get(2)).isEqualTo("short");
        assertThat(screen.get(3)).contains("2/3").doesNotContain("1/3");
    }

    @Test
    void whatIsWaitedForIsCutBetweenWordsAndEndsItsLine() {
        TerminalProgress progress = terminal(UTF_8, 24);
        progress.waiting(room -> "room for " + room);
        progress.waiting(room -> "rewards: 3 of 8; out: episode 4 for 12s");
        progress.finish();
        progress.finish();
        assertThat(screen()).containsExactly("rewards: 3 of 8; out:");
    }

    @Test
    void anErrorAfterAWaitBeginsOnALineOfItsOwn() {
        TerminalProgress progress = terminal(UTF_8, 80);
        progress.show(view(1, 3));
        progress.waiting(room -> "rewards: 0 of 8");
        progress.finish();
        PrintStream out = new PrintStream(bytes, true, UTF_8);
        out.println("pgkq: it failed");
        assertThat(screen()).hasSize(2).last().isEqualTo("pgkq: it failed");
    }

    @Test
    void aWarningIsMarkedAsOneOfTheTool() {
        plain().warn("the disk is almost full");
        terminal(UTF_8, 80).warn("the server is slow");
        assertThat(screen()).containsExactly("pgkq: the disk is almost full", "pgkq: the server is slow");
    }

    @Test
    void aLongMessageHasAShortFirstLine() {
        String text = "pgkq: 0 of 6 rewards came, which is fewer than half. " + "Many words follow that. ".repeat(20);
        List<String> lines = Paragraph.message(text, 79);
        assertThat(lines.getFirst()).isEqualTo("pgkq: 0 of 6 rewards came, which is fewer than half.");
        assertThat(lines.subList(1, lines.size()))
                .allSatisfy(line ->
                        assertThat(line).startsWith("  Many".substring(0, 2)).hasSizeLessThanOrEqualTo(79));
        assertThat(String.join(" ", lines).replaceAll("\\s+", " ")).isEqualTo(text.strip());
        assertThat(Paragraph.message("a short one. It stays", 10)).containsExactly("a short one. It stays");
        String path = "/a/folder/with/a/long/name".repeat(20);
        assertThat(Paragraph.lines("see " + path + " for more", 40, "  "))
                .containsExactly("see", "  " + path, "  for more");
    }

    @Test
    void quickIterationsAreNotAllDrawnButTheLastIs() {
        TerminalProgress progress = terminal(UTF_8, 80);
        for (int i = 1; i <= 500; i++) {
            clock.addAndGet(1_000_000);
            progress.show(view(i, 1000));
        }
        assertThat(bytes.toString(UTF_8).chars().filter(c -> c == '\r').count()).isBetween(5L, 20L);
        progress.finish();
        assertThat(screen()).hasSize(1);
        assertThat(screen().getFirst()).contains("500/1000");
    }

    @Test
    void aShortRunGetsALineEach() {
        PlainProgress progress = plain();
        for (int i = 1; i <= 40; i++) {
            progress.show(view(i, 40));
        }
        progress.finish();
        List<String> lines = bytes.toString(UTF_8).lines().toList();
        assertThat(lines).hasSize(40);
        assertThat(lines.getFirst())
                .isEqualTo("iteration 1/40  return 1235 ± 12.35  length 812  rewards 96.0k  15.2k steps/s  ETA 0.0s");
    }

    @Test
    void aLongQuickRunGetsALineForEveryPercent() {
        assertThat(printed(100_000, 1_000_000))
                .hasSizeBetween(100, 102)
                .startsWith("1", "1000", "2000")
                .endsWith("99000", "100000");
    }

    @Test
    void aLongSlowRunGetsALineEveryTenSeconds() {
        assertThat(printed(1_000, 4_000_000_000L))
                .contains("1", "4", "7", "10", "13")
                .doesNotContain("2", "3", "5", "6");
        bytes.reset();
        assertThat(printed(300, 60_000_000_000L)).hasSize(300);
    }

    @Test
    void aRunThatWasStoppedShowsItsLastIteration() {
        PlainProgress progress = plain();
        for (int i = 1; i <= 1234; i++) {
            progress.show(view(i, 100_000));
        }
        progress.message("stopped");
        progress.finish();
        progress.finish();
        assertThat(bytes.toString(UTF_8).lines()).hasSize(4).last().asString().startsWith("iteration 1234/");
    }

    private List<String> printed(int total, long nanosEach) {
        PlainProgress progress = plain();
        for (int i = 1; i <= total; i++) {
            clock.addAndGet(nanosEach);
            progress.show(view(i, total));
        }
        return bytes.toString(UTF_8)
                .lines()
                .map(line -> line.substring("iteration ".length(), line.indexOf('/')))
                .toList();
    }

    private PlainProgress plain() {
        return new PlainProgress(new PrintStream(bytes, true, UTF_8), clock::get);
    }

    private TerminalProgress terminal(Charset charset, int columns) {
        return new TerminalProgress(new PrintStream(bytes, true, charset), () -> columns, clock::get);
    }

    /** What a terminal would show: a carriage return goes back, escape K clears to the end, a line feed starts a line. */
    private List<String> screen() {
        List<String> screen = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        int column = 0;
        String text = bytes.toString(UTF_8).replace("\033[K", "\033");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\r') {
                column = 0;
            } else if (c == '\033') {
                line.setLength(column);
            } else if (c == '\n') {
                screen.add(line.toString());
                line.setLength(0);
                column = 0;
            } else {
                line.replace(column, Math.min(column + 1, line.length()), String.valueOf(c));
                column++;
            }
        }
        assertThat(line).isEmpty();
        return screen;
    }
}
