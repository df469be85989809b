package dev.pgkq.app.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** When a training process is killed: some milliseconds after something happened to its files. */
enum KillMoment {
    /** Mostly while Java starts or the run is restored. */
    START(1500),
    /** At any time. */
    ANY(2500),
    /** The program was called, which takes it 50 ms. */
    CALL(120),
    /** The program is answering. */
    ANSWER(40),
    /** The ledger wrote to its log. */
    WAL(30),
    /** The metrics of an iteration were written; its checkpoint comes next. */
    METRICS(20),
    /** A checkpoint is being written. */
    CHECKPOINT(10),
    /** An answer that a stopped process left in a file is being recorded. */
    SPOOL(20),
    /** An answer arrives while the ledger is in another folder; it is put back afterwards. */
    LEDGER(60);

    /** The longest time between the event and the kill. */
    final int millis;

    KillMoment(int millis) {
        this.millis = millis;
    }

    private static final List<String> LEDGER_FILES = List.of("ledger.db", "ledger.db-wal", "ledger.db-shm");

    /**
     * Waits for the moment.
     *
     * @param delay milliseconds after the event
     * @return whether the process ended before
     */
    boolean endsBefore(int delay, Process process, Path run, Path calls) throws IOException, InterruptedException {
        Path away = run.resolveSibling("away");
        if (this == LEDGER) {
            Path answers = Scorer.answers(calls);
            long before = size(answers);
            if (waitForChange(process, calls, size(calls))) {
                return true;
            }
            move(run, Files.createDirectories(away));
            boolean ended = waitForChange(process, answers, before) || process.waitFor(delay, TimeUnit.MILLISECONDS);
            process.destroyForcibly().waitFor();
            move(away, run);
            return ended && process.exitValue() == 0;
        }
        boolean ended = switch (this) {
            case START, ANY, LEDGER -> false;
            case CALL -> waitForChange(process, calls, size(calls));
            case ANSWER -> waitForChange(process, Scorer.answers(calls), size(Scorer.answers(calls)));
            case WAL -> waitForChange(process, run.resolve("ledger.db-wal"), size(run.resolve("ledger.db-wal")));
            case METRICS -> waitForChange(process, run.resolve("metrics.csv"), size(run.resolve("metrics.csv")));
            case CHECKPOINT -> waitForNewFile(process, run.resolve("checkpoint"));
            case SPOOL -> waitForChange(process, run.resolve("spool"), entries(run.resolve("spool")));
        };
        return ended || process.waitFor(delay, TimeUnit.MILLISECONDS);
    }

    private static void move(Path from, Path to) throws IOException {
        for (String name : LEDGER_FILES) {
            if (Files.exists(from.resolve(name))) {
                Files.move(from.resolve(name), to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static boolean waitForChange(Process process, Path file, long before)
            throws IOException, InterruptedException {
        while ((Files.isDirectory(file) ? entries(file) : size(file)) == before) {
            if (process.waitFor(1, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return false;
    }

    /** A checkpoint is written under another name first, which begins with a dot; a killed process leaves such a file. */
    private static boolean waitForNewFile(Process process, Path folder) throws IOException, InterruptedException {
        long before = newestUnfinished(folder);
        while (newestUnfinished(folder) <= before) {
            if (process.waitFor(1, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return false;
    }

    /** When the newest file of that kind was written; 0 if there is none. */
    private static long newestUnfinished(Path folder) throws IOException {
        long newest = 0;
        if (Files.isDirectory(folder)) {
            for (String name : names(folder)) {
                if (name.startsWith(".")) {
                    newest = Math.max(newest, modified(folder.resolve(name)));
                }
            }
        }
        return newest;
    }

    private static long modified(Path file) throws IOException {
        try {
            return Files.getLastModifiedTime(file).toMillis();
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    private static long entries(Path folder) throws IOException {
        return Files.isDirectory(folder) ? names(folder).size() : 0;
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
