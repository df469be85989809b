package dev.pgkq.rewards.oracle;

import dev.pgkq.platform.PythonInterpreter;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The command that calls a function of Python: {@code python:MODULE:FUNCTION}. A process is started for each episode, as with a
 * program of one's own.
 */
final class PythonFunction {
    static final String PREFIX = "python:";

    private static final Pattern NAME =
            Pattern.compile("([A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_]*)*):([A-Za-z_][A-Za-z0-9_]*)");

    private PythonFunction() {}

    /**
     * Finds the interpreter, and has it import the function.
     *
     * @throws UserException if there is no such interpreter, module or function
     */
    static Command command(String name, EvaluatorSettings settings) {
        Matcher parts = NAME.matcher(name.strip());
        if (!parts.matches()) {
            throw new UserException("'" + PREFIX + name
                    + "' does not name a function: give python:MODULE:FUNCTION, such as python:my_judge:score");
        }
        if (parts.group(1).endsWith(".py")) {
            String module = parts.group(1).substring(0, parts.group(1).length() - ".py".length());
            throw new UserException("'" + PREFIX + name + "' has the name of a file: name the module, without .py: "
                    + PREFIX + module + ":" + parts.group(2));
        }
        String python = PythonInterpreter.command(settings.python(), settings.startFolder(), settings.environment());
        Command interpreter = Command.find("'" + python + "'", settings.startFolder(), settings.environment());
        List<String> words = new ArrayList<>(interpreter.words());
        words.addAll(List.of("-c", script(), parts.group(1), parts.group(2)));
        check(name, words, settings);
        return new Command(name.strip(), List.copyOf(words), source(parts.group(1), settings), List.of());
    }

    /** The file of the module, if it is in the start folder. */
    private static Map<String, Path> source(String module, EvaluatorSettings settings) {
        String name = module.replace('.', '/');
        return Stream.of(name + ".py", name + "/__init__.py")
                .filter(file -> Files.isRegularFile(settings.startFolder().resolve(file)))
                .findFirst()
                .map(file -> Map.of(file, settings.startFolder().resolve(file)))
                .orElse(Map.of());
    }

    private static String script() {
        try (InputStream source = PythonFunction.class.getResourceAsStream("judge.py")) {
            if (source == null) {
                throw new IllegalStateException("judge.py is not on the class path");
            }
            return new String(source.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void check(String name, List<String> words, EvaluatorSettings settings) {
        List<String> checking = new ArrayList<>(words);
        checking.add("check");
        ProcessBuilder builder = new ProcessBuilder(checking)
                .directory(settings.startFolder().toFile())
                .redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.putAll(settings.environment());
        environment.put("PGKQ_START_FOLDER", settings.startFolder().toString());
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            List<String> said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .strip()
                    .lines()
                    .toList();
            if (process.waitFor() != 0) {
                throw new UserException(PREFIX + name + " cannot be called: "
                        + String.join(System.lineSeparator(), said.subList(Math.max(0, said.size() - 6), said.size())));
            }
        } catch (IOException e) {
            throw new UserException(PREFIX + name + " cannot be called: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserException(PREFIX + name + " was not checked: interrupted", e);
        }
    }
}
