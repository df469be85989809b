package dev.pgkq.gym;

import dev.pgkq.gym.PythonException.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A Python process with several environments. It answers every frame with one frame, in order:
 *
 * <pre>
 *   'P' 'Q' version kind | length of the body, int32 | body          all numbers little-endian
 * </pre>
 *
 * <p>What the environments print does not get between the frames: the process moves its standard output away first. It ends when
 * its standard input is closed, so also when this JVM ends in whatever way.
 */
final class WorkerProcess implements AutoCloseable {
    /** It does not exist, has a format that cannot be run, or must not be run. */
    private static final Pattern OF_THE_FILE = Pattern.compile("error[:=] ?(2|8|13)\\b");

    static final byte TURN = 1;
    static final byte LOOK = 3;
    static final byte HELLO = 11;
    static final byte ANSWER = 12;
    static final byte ERROR = 13;

    private static final byte VERSION = 2;
    private static final int HEADER = 8;
    private static final int MOST_BYTES = 1 << 30;
    private static final Duration TO_END = Duration.ofSeconds(2);
    private static final ScheduledExecutorService WATCH = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("pgkq-python-watch").factory());

    private final String name;
    private final Process process;
    private final WorkerLog log;
    private final Duration timeout;
    private final Future<?> watch;
    private volatile long askedAt;
    private volatile boolean asked;
    private volatile boolean hung;
    private boolean failed;

    private WorkerProcess(String name, Process process, WorkerLog log, Duration timeout) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.timeout = timeout;
        long period = Math.clamp(timeout.toMillis() / 4, 10, 1000);
        this.watch = WATCH.scheduleWithFixedDelay(this::endIfHung, period, period, TimeUnit.MILLISECONDS);
    }

    /**
     * Starts Python. {@link #hello} waits until it is ready.
     *
     * @param rendering whether the environments have to draw pictures, if they can
     */
    static WorkerProcess start(String name, PythonSettings settings, boolean rendering) {
        String python = settings.command();
        List<String> command = new ArrayList<>(List.of(
                python,
                "-u",
                WorkerScript.file().toString(),
                name,
                settings.arguments(),
                Integer.toString(settings.timeLimit())));
        if (rendering) {
            command.add("render");
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        // there is a process for every core, and the order of a set must not depend on the process
        for (String threads : List.of("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")) {
            builder.environment().putIfAbsent(threads, "1");
        }
        builder.environment().putIfAbsent("PYTHONHASHSEED", "0");
        WorkerLog log = WorkerLog.open(settings.log().get());
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.file().toFile()));
        try {
            return new WorkerProcess(name, builder.start(), log, settings.timeout());
        } catch (IOException e) {
            log.deleteIfTemporary();
            throw new PythonException(
                    Problem.INTERPRETER,
                    "cannot start the Python '" + python + "' for " + name + ": " + whyNot(python, e),
                    e);
        }
    }

    /** Java's own words name system calls; they are quoted only where the file is not the cause. */
    private static String whyNot(String python, IOException failure) {
        if (!OF_THE_FILE.matcher(String.valueOf(failure.getMessage())).find()) {
            return String.valueOf(failure.getMessage());
        }
        Path file = Path.of(python);
        if (file.getNameCount() == 1 && !file.isAbsolute()) {
            return "there is no such program on the PATH";
        }
        return Files.exists(file) ? "this file is not a program that can be run" : "there is no such file";
    }

    /** Waits until the first environment is made, and returns its description. */
    ByteBuffer hello() {
        try {
            return receive(HELLO, Problem.ENVIRONMENT);
        } catch (WorkerDiedException e) {
            throw failure(Problem.ENVIRONMENT, e.getMessage() + " before the environment was made" + log.tail());
        }
    }

    /**
     * Sends a frame, which {@link #answer} has to be called for.
     *
     * @param body written from its start to its position
     */
    void send(byte kind, ByteBuffer body) throws WorkerDiedException {
        ByteBuffer header = littleEndian(HEADER)
                .put((byte) 'P')
                .put((byte) 'Q')
                .put(VERSION)
                .put(kind);
        header.putInt(body.position());
        try {
            process.getOutputStream().write(header.array());
            process.getOutputStream().write(body.array(), 0, body.position());
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw died();
        }
    }

    /** Waits for the answer to the oldest frame that has none. */
    ByteBuffer answer() throws WorkerDiedException {
        return receive(ANSWER, Problem.FAILURE);
    }

    private ByteBuffer receive(byte expected, Problem problem) throws WorkerDiedException {
        askedAt = System.nanoTime();
        asked = true;
        try {
            InputStream in = process.getInputStream();
            byte[] bytes = in.readNBytes(HEADER);
            if (bytes.length < HEADER) {
                throw died();
            }
            ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            byte kind = header.get(3);
            int size = header.getInt(4);
            boolean isFrame = header.get(0) == 'P' && header.get(1) == 'Q' && header.get(2) == VERSION;
            if (!isFrame || (kind != expected && kind != ERROR) || size < 0 || size > MOST_BYTES) {
                throw failure(
                        problem,
                        "the worker sent bytes that are no answer: something in it writes to pgkq's pipe" + log.tail());
            }
            byte[] body = in.readNBytes(size);
            if (body.length < size) {
                throw died();
            }
            if (kind == ERROR) {
                throw failure(problem, new String(body, StandardCharsets.UTF_8));
            }
            return ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        } catch (IOException e) {
            throw died();
        } finally {
            asked = false;
        }
    }

    /** Asks the process to end, upon which it writes to its log where it was. */
    private void endIfHung() {
        if (asked && !hung && System.nanoTime() - askedAt > timeout.toNanos()) {
            hung = true;
            process.destroy();
        } else if (hung && asked) {
            process.destroyForcibly();
        }
    }

    private WorkerDiedException died() {
        end();
        if (hung) {
            throw failure(
                    Problem.TIMEOUT,
                    "no answer for " + timeout.toMillis() / 1e3 + " seconds; Python was here:" + log.tail());
        }
        int code = process.exitValue();
        return new WorkerDiedException("the worker process ended with exit code " + code
                + (code > 128 ? " (signal " + (code - 128) + ")" : ""));
    }

    private PythonException failure(Problem problem, String what) {
        failed = true;
        return new PythonException(
                problem, name + ": " + what + System.lineSeparator() + "What Python printed is in " + log.file());
    }

    /** The error of a worker that ended too often. */
    PythonException tooManyDeaths(WorkerDiedException last, int times) {
        return failure(
                Problem.FAILURE,
                last.getMessage() + ", " + times + " times at the same step of its episodes" + log.tail());
    }

    void note(String line) {
        log.note(line);
    }

    static ByteBuffer littleEndian(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    long pid() {
        return process.pid();
    }

    private void end() {
        watch.cancel(false);
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            process.destroy();
        }
        try {
            if (!process.waitFor(TO_END)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        end();
        if (!failed) {
            log.deleteIfTemporary();
        }
    }
}
