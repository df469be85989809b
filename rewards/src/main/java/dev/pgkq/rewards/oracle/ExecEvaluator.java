package dev.pgkq.rewards.oracle;

import dev.pgkq.rewards.files.FileErrors;
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

/**
 * A process for each episode: the request on its standard input, the answer on its standard output, in a working directory of
 * its own. Standard input is the file {@code request.json} in that directory and no pipe, so a program that does not read
 * it, or writes first, cannot block; and after a failure, which keeps the directory, the same question can be asked by hand.
 * Whatever a process has started ends with it.
 */
final class ExecEvaluator implements Evaluator {
    static final String PREFIX = "exec:";
    private static final String INPUT = "request.json";

    private final Command command;
    private final EvaluatorSettings settings;
    private final Path folder;
    private final ErrorLogs logs;
    private final WorkFolders places;
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Set<ProcessTree> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * @throws UserException if the program is not there
     */
    ExecEvaluator(String command, EvaluatorSettings settings) {
        this.command = Command.find(command, settings.startFolder(), settings.environment());
        this.settings = settings;
        this.folder = settings.runDirectory().resolve("oracle");
        this.logs = ErrorLogs.in(folder);
        this.places = new WorkFolders(settings.workFolder(), WorkFolders.KEPT);
    }

    @Override
    public String identity() {
        return PREFIX + command.text();
    }

    @Override
    public List<String> warnings() {
        return command.warnings();
    }

    @Override
    public Reply evaluate(Request request) throws EvaluationException, InterruptedException {
        Cancelled.ifInterrupted();
        String name = request.idempotencyKey() + "." + request.attempt();
        String mark = UUID.randomUUID().toString();
        Path place = prepared(name, request);
        try {
            Reply answer = run(request, name, place, mark);
            places.remove(place);
            return answer;
        } finally {
            places.keep(place);
        }
    }

    private Reply run(Request request, String name, Path place, String mark)
            throws EvaluationException, InterruptedException {
        Process process;
        try {
            process = start(request, place, mark);
        } catch (IOException e) {
            Cancelled.ifInterrupted();
            throw EvaluationException.passing(identity() + " could not be started: " + e.getMessage(), e);
        }
        ProcessTree tree = new ProcessTree(process.toHandle(), mark);
        running.add(tree);
        names.add(name);
        try (BoundedLog errors = new BoundedLog(logs.file(name))) {
            if (closed) {
                tree.stop();
            }
            return new ProgramRun(identity(), place, process, tree, errors, settings.limits())
                    .answer(request.episode().length());
        } finally {
            tree.stop();
            running.remove(tree);
            names.remove(name);
            // a folder is left of those that failed
            logs.prune(names, other -> Files.exists(settings.workFolder().resolve(other)));
        }
    }

    /**
     * A folder with the request in it.
     *
     * @throws UserException if there cannot be one: a full disk is no failure of the program, and leaves nobody out
     */
    private Path prepared(String name, Request request) throws InterruptedException {
        try {
            Files.createDirectories(folder);
            Path place = places.make(name);
            try {
                Files.write(place.resolve(INPUT), RequestJson.write(settings.run(), request));
                return place;
            } catch (IOException e) {
                places.remove(place);
                throw e;
            }
        } catch (IOException e) {
            Cancelled.ifInterrupted();
            throw FileErrors.writing(settings.workFolder().resolve(name), e);
        }
    }

    private Process start(Request request, Path place, String mark) throws IOException {
        Path input = place.resolve(INPUT);
        String program = command.words().getFirst();
        if (!Files.isExecutable(Path.of(program))) {
            throw new IOException(program + " is not there any more, or may not be run");
        }
        ProcessBuilder builder = new ProcessBuilder().directory(place.toFile()).redirectInput(input.toFile());
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
        return builder.command(SignalShield.words(command.words(), environment)).start();
    }

    @Override
    public void close() {
        closed = true; // seen by those who start a process now, if it is too late for them to be in the set
        running.forEach(ProcessTree::stop);
    }
}
