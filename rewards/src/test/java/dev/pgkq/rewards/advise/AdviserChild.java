package dev.pgkq.rewards.advise;

import static dev.pgkq.rewards.advise.TestJudge.batch;
import static dev.pgkq.rewards.advise.TestJudge.score;

import dev.pgkq.advise.Estimates;
import dev.pgkq.advise.Items;
import dev.pgkq.rewards.advise.DurableAdviser.Options;
import dev.pgkq.rewards.database.DatabaseFull;
import dev.pgkq.select.Pace;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** A process with an adviser on a small disk, which is filled again and again. */
final class AdviserChild {
    private static final int ROUNDS = 30;
    private static final int ITEMS = 150;
    private static final int MOST_FREE = 100 << 10;

    private final DurableAdviser adviser;
    private final Path ballast;
    private final Random random = new Random(3);
    private final List<String> failures = new ArrayList<>();

    private AdviserChild(DurableAdviser adviser, Path ballast) {
        this.adviser = adviser;
        this.ballast = ballast;
    }

    static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--add-modules",
                "jdk.incubator.vector",
                "-cp",
                System.getProperty("java.class.path"),
                AdviserChild.class.getName());
    }

    /** Arguments: a folder on the small disk, a file to fill it with, a folder elsewhere. */
    public static void main(String[] arguments) throws IOException {
        Options options = Options.defaults().withPace(new Pace.Fixed(3));
        try (DurableAdviser small = DurableAdviser.open(Path.of(arguments[0]), options);
                DurableAdviser large = DurableAdviser.open(Path.of(arguments[2]), options)) {
            AdviserChild onSmall = new AdviserChild(small, Path.of(arguments[1]));
            AdviserChild onLarge = new AdviserChild(large, Path.of(arguments[1]));
            for (int number = 1; number <= ROUNDS; number++) {
                onSmall.fill();
                Estimates one = onSmall.round(number, true);
                Estimates other = onLarge.round(number, false);
                if (!Arrays.equals(one.mean(), other.mean()) || !Arrays.equals(one.corrected(), other.corrected())) {
                    throw new AssertionError("round " + number + " differs");
                }
            }
            onSmall.failures.stream().distinct().forEach(System.out::println);
            System.out.println(onSmall.failures.size() + " failures, "
                    + small.status().spent() + " spent, " + small.status().lessons() + " lessons");
        }
    }

    private Estimates round(int number, boolean small) throws IOException {
        Items items = batch(number, ITEMS);
        Advice advice = retried(() -> adviser.ask(Question.of(items)), small);
        if (advice.resumed() || !advice.inDoubt().isEmpty()) {
            throw new AssertionError("round " + number + " was handed out before");
        }
        for (int item : advice.indices()) {
            String id = advice.ids()
                    .get(Arrays.stream(advice.indices()).boxed().toList().indexOf(item));
            Map<String, Score> told = Map.of(id, Score.of(score(items, item)));
            retried(() -> adviser.tell(advice.round(), told, false), small);
        }
        return adviser.estimates(number).estimates().orElseThrow();
    }

    /** After a failure nothing has changed; then there is room, and the same works. */
    private <T> T retried(Supplier<T> call, boolean small) throws IOException {
        if (!small) {
            return call.get();
        }
        Status before = adviser.status();
        try {
            return call.get();
        } catch (DatabaseFull e) {
            failures.add(String.valueOf(e.getMessage()));
            Status after = adviser.status();
            if (!after.equals(before)) {
                throw new AssertionError("changed from " + before + " to " + after, e);
            }
            Files.delete(ballast);
            return call.get();
        }
    }

    /** Fills the disk except for a random rest. */
    private void fill() throws IOException {
        byte[] block = new byte[1 << 10];
        try (OutputStream out = Files.newOutputStream(ballast)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            try (var channel = Files.newByteChannel(ballast, java.nio.file.StandardOpenOption.WRITE)) {
                channel.truncate(Math.max(0, channel.size() - random.nextInt(MOST_FREE)));
            }
        }
    }
}
