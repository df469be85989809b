package dev.pgkq.rewards.oracle;

import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.rewards.request.RequestJson;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Starts a process for each episode, with the request on its standard input, the answer on its standard output, and its own
 * working directory. Standard input is the file {@code request.json} in that directory rather than a pipe, so a program that does
 * not read it, or writes first, cannot block. After a failure the directory is kept, so that the request can be repeated by hand.
 * The answer is complete when the program ends, and all processes started by the program end with it.
 */
final class ExecEvaluator implements Evaluator {
    static final String PREFIX = "exec:";
    private static final String INPUT = "request.json";

    private final ProgramKind kind;
    private final Command command;
    private final FileHashes hashes;
    private final EvaluatorSettings settings;
    private final Path folder;
    private final ErrorLogs logs;
    private final WorkFolders workFolders;
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Set<ProcessTree> running = ConcurrentHashMap.newKeySet();

    /** Held while a process is started, so that none is when it is closed. */
    private final ReadWriteLock starting = new ReentrantReadWriteLock();

    private volatile boolean closed;

    /**
     * @throws UserException if there is no such program
     */
    ExecEvaluator(String command, EvaluatorSettings settings) {
        this(ProgramKind.COMMAND, Command.find(command, settings.startFolder(), settings.environment()), settings);
    }

    /**
     * @param kind what the command is to the user
     */
    ExecEvaluator(ProgramKind kind, Command command, EvaluatorSettings settings) {
        this.kind = kind;
        this.command = command;
        this.hashes = new FileHashes(command.files());
        this.settings = settings;
        this.folder = settings.runDirectory().resolve("oracle");
        this.logs = ErrorLogs.in(folder);
        this.workFolders = new WorkFolders(settings.workFolder(), WorkFolders.KEPT);
    }

    @Override
    public String identity() {
        return kind.prefix() + command.text();
    }

    @Override
    public String rightAnswer(int length) {
        return kind.rightAnswer(length);
    }

    @Override
    public Map<String, String> contents() {
        return hashes.current();
    }

    @Override
    public List<String> warnings() {
        return command.warnings();
    }

    @Override
    public Reply evaluate(Request request) throws EvaluationException, InterruptedException {
        Interruption.check();
        String name = request.idempotencyKey() + "." + request.attempt();
        String mark = UUID.randomUUID().toString();
        Path place = prepared(name, request);
        try (ProgramOutput output = output(place)) {
            Reply answer = run(request, name, place, mark, output);
            workFolders.remove(place);
            return answer;
        } finally {
            workFolders.keep(place);
        }
    }

    private Reply run(Request request, String name, Path place, String mark, ProgramOutput output)
            throws EvaluationException, InterruptedException {
        Process process;
        ProcessTree tree;
        starting.readLock().lock();
        try {
            if (closed) {
                throw new IOException("pgkq is stopping");
            }
            process = start(request, place, mark, output);
            tree = new ProcessTree(process.toHandle(), mark);
            running.add(tree);
        } catch (IOException e) {
            Interruption.check();
            throw EvaluationException.temporary(identity() + " could not be started: " + e.getMessage(), e)
                    .with(EvaluationException.Call.NOT_MADE);
        } finally {
            starting.readLock().unlock();
        }
        names.add(name);
        try (BoundedLog errors = new BoundedLog(logs.file(name))) {
            return new ProgramRun(kind, identity(), place, process, tree, output, errors, settings.limits())
                    .answer(request.episode().length());
        } finally {
            tree.stop();
            running.remove(tree);
            names.remove(name);
            // only failed evaluations leave a folder
            logs.prune(names, other -> Files.exists(settings.workFolder().resolve(other)));
        }
    }

    /**
     * Creates a working directory that contains the request.
     *
     * @throws UserException if that fails: a full disk is not a failure of the program, so it stops the run
     */
    private Path prepared(String name, Request request) throws InterruptedException {
        try {
            Files.createDirectories(folder);
            Path place = workFolders.make(name);
            try {
                Files.write(place.resolve(INPUT), RequestJson.write(settings.run(), request));
                return place;
            } catch (IOException e) {
                workFolders.remove(place);
                throw e;
            }
        } catch (IOException e) {
            Interruption.check();
            throw FileErrors.writing(settings.workFolder().resolve(name), e);
        }
    }

    private ProgramOutput output(Path place) throws InterruptedException {
        Path pipe = place.resolveSibling(place.getFileName() + ".stdout");
        try {
            return new ProgramOutput(pipe, settings.limits().bytes());
        } catch (IOException e) {
            Interruption.check();
            throw FileErrors.writing(pipe, e);
        }
    }

    private Process start(Request request, Path place, String mark, ProgramOutput output) throws IOException {
        Path input = place.resolve(INPUT);
        String program = command.words().getFirst();
        if (!Files.isExecutable(Path.of(program))) {
            throw new IOException(program + " no longer exists or is not executable");
        }
        ProcessBuilder builder = new ProcessBuilder()
                .directory(place.toFile())
                .redirectInput(input.toFile())
                .redirectOutput(output.path().toFile());
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.putAll(settings.environment());
        environment.put("PGKQ_IDEMPOTENCY_KEY", request.idempotencyKey());
        environment.put("PGKQ_EPISODE", request.episodeId(settings.run()));
        environment.put("PGKQ_TASK", request.task());
        environment.put("PGKQ_ITERATION", Integer.toString(request.iteration()));
        environment.put("PGKQ_ATTEMPT", Integer.toString(request.attempt()));
        environment.put("PGKQ_START_FOLDER", settings.startFolder().toString());
        environment.put(ProcessTree.MARK, mark);
        Process process = builder.command(SignalShield.shielded(command.words(), environment))
                .start();
        output.forget();
        return process;
    }

    /** When it returns, no process is left: the program may end right after. */
    @Override
    public void close() {
        starting.writeLock().lock();
        closed = true;
        starting.writeLock().unlock();
        running.forEach(ProcessTree::stop);
    }
}
