package dev.pgkq.rewards.ledger;

import static dev.pgkq.rewards.ledger.TestEvaluations.answer;
import static dev.pgkq.rewards.ledger.TestEvaluations.id;
import static dev.pgkq.rewards.ledger.TestEvaluations.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.text.UserException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A separate process that uses a ledger, for tests that kill it or fill its disk. */
final class LedgerChild {
    private LedgerChild() {}

    /** The command that starts one. */
    static List<String> command(Object... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                LedgerChild.class.getName()));
        Arrays.stream(arguments).map(String::valueOf).forEach(command::add);
        return command;
    }

    static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Everything that the processes print until they end successfully. */
    static List<Integer> numbers(List<Process> children) throws IOException, InterruptedException {
        List<Integer> numbers = new ArrayList<>();
        for (Process child : children) {
            try (BufferedReader lines = child.inputReader()) {
                lines.lines().map(Integer::valueOf).forEach(numbers::add);
            }
            assertThat(child.waitFor()).isZero();
        }
        return numbers;
    }

    public static void main(String[] arguments) throws Exception {
        String location = arguments[1];
        switch (arguments[0]) {
            case "buy" -> buy(location, Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
            case "record" -> record(location, Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
            case "fill" -> fill(location, Path.of(arguments[2]));
            case "try" -> attempt(location);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Makes one attempt to get an evaluation, paid for or not; false if another owner has claimed it. */
    static boolean claimed(Ledger ledger, int number, Runnable bought) {
        return switch (ledger.claim(id(number))) {
            case Claim.Done done -> {
                if (!done.answer().equals(answer(number))) {
                    throw new AssertionError("a wrong answer");
                }
                yield true;
            }
            case Claim.Mine mine -> {
                if (!ledger.attempted(key(number))) {
                    throw new AssertionError("a claim was lost");
                }
                bought.run();
                ledger.done(key(number), answer(number));
                yield true;
            }
            case Claim.Elsewhere elsewhere -> false;
            case Claim.Failed failed -> throw new AssertionError(failed.reason());
        };
    }

    /** Gets all evaluations up to a number, in random order, and prints those that it paid for. */
    private static void buy(String location, int count, int seed) throws ExecutionException, InterruptedException {
        try (Ledger ledger = Ledger.open(location);
                ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Future<?>> results = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                List<Integer> numbers =
                        IntStream.range(0, count).boxed().collect(Collectors.toCollection(ArrayList::new));
                Collections.shuffle(numbers, new Random(seed * 3L + thread));
                results.add(threads.submit(() -> {
                    for (int number : numbers) {
                        while (!claimed(ledger, number, () -> System.out.println(number))) {
                            Thread.onSpinWait();
                        }
                    }
                }));
            }
            for (Future<?> result : results) {
                result.get();
            }
        }
    }

    /** Records answers starting at a number, and prints each one after recording it, until it is done or killed. */
    private static void record(String location, int first, int end) {
        try (Ledger ledger = Ledger.open(location)) {
            for (int number = first; number < end; number++) {
                if (!claimed(ledger, number, () -> {})) {
                    throw new AssertionError("another owner has " + number);
                }
                System.out.println(number);
            }
        }
    }

    /** Records answers until that fails, frees space by deleting a file, and continues. */
    private static void fill(String location, Path ballast) throws IOException {
        int number = 0;
        try (Ledger ledger = Ledger.open(location)) {
            try {
                while (true) {
                    claimed(ledger, number, () -> {});
                    number++;
                }
            } catch (UserException e) {
                System.out.println(e.getMessage());
            }
            List<LedgerEntry> entries = new ArrayList<>();
            ledger.read(entries::add);
            System.out.println(number + " recorded, "
                    + entries.stream()
                            .filter(entry -> entry.state() == State.DONE)
                            .count() + " read");
            Files.delete(ballast);
            Claim claim = ledger.claim(id(number));
            ledger.attempted(key(number));
            ledger.done(key(number), answer(number));
            System.out.println(claim instanceof Claim.Failed ? "failed" : "went on");
            for (int i = 0; i <= number; i++) {
                if (!ledger.claim(id(i)).equals(new Claim.Done(answer(i)))) {
                    throw new AssertionError("lost " + i);
                }
            }
            System.out.println("all there");
        }
    }

    /** Prints the results of opening a ledger and of reading it. */
    private static void attempt(String location) {
        try (Ledger ledger = Ledger.open(location)) {
            System.out.println("opened " + ledger.location());
        } catch (UserException e) {
            System.out.println(e.getMessage());
        }
        try {
            List<LedgerEntry> entries = new ArrayList<>();
            Ledger.read(location, entries::add);
            System.out.println(entries.size() + " entries");
        } catch (UserException e) {
            System.out.println(e.getMessage());
        }
    }
}
