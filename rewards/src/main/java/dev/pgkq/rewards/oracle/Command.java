package dev.pgkq.rewards.oracle;

import dev.pgkq.text.NearestNames;
import dev.pgkq.text.UserException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command that can be started in any folder. Every evaluation has its own working directory, so the program, and every argument
 * that names a file in the start folder, is replaced by an absolute path. Other arguments are left unchanged.
 *
 * <p>A missing script would show as one failed evaluation after another, so it is checked beforehand: the script that follows an
 * interpreter must exist, and other arguments that look like missing files cause warnings.
 *
 * @param text the command as given
 * @param words program and arguments
 * @param files the files that its answers depend on, by name as given: the program if it is given with its folder and is no
 *     interpreter, scripts, and texts and models among the arguments. Other arguments may name files that the command writes
 * @param warnings possible mistakes
 */
record Command(String text, List<String> words, Map<String, Path> files, List<String> warnings) {
    private static final int MOST_NEIGHBOURS = 10_000;
    private static final Pattern SHELL = Pattern.compile("(ba|da|z|k|a)?sh");
    private static final Pattern INTERPRETER =
            Pattern.compile("((ba|da|z|k|a)?sh|(python|pypy|perl|ruby|lua|php|node)[0-9.]*|Rscript|julia|deno|bun)");
    /** A file name without characters that have a meaning for programs or shells. */
    private static final Pattern NAME = Pattern.compile("[^-\\s:;|&<>$*?\"'`(){}=,][^\\s:;|&<>$*?\"'`(){}=,]*");

    private static final Pattern SCRIPT =
            Pattern.compile(".*\\.(py|sh|bash|zsh|pl|rb|r|R|jl|js|mjs|ts|lua|php|jar|m|ipynb)");

    private static final Pattern TEXT_OR_MODEL =
            Pattern.compile("(?i).*\\.(txt|md|prompt|json|ya?ml|toml|ini|cfg|conf|xml|j2|jinja"
                    + "|template|onnx|pt|pth|pkl|safetensors|gguf|npz|npy)");

    /**
     * Finds the program.
     *
     * @param start folder that relative file names refer to
     * @param environment environment variables, of which {@code PATH} is used
     * @throws UserException if there is no such program or script
     */
    static Command find(String text, Path start, Map<String, String> environment) {
        List<String> given = CommandWords.split(text);
        if (given.isEmpty()) {
            throw new UserException("exec: requires a command, such as exec:python3 score.py");
        }
        String path = environment.getOrDefault("PATH", "");
        List<String> words = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        Map<String, Path> files = new LinkedHashMap<>();
        words.add(program(given.getFirst(), start, path));
        if (given.getFirst().contains("/")
                && !INTERPRETER.matcher(nameOf(given.getFirst())).matches()) {
            files.put(given.getFirst(), Path.of(words.getFirst()));
        }
        for (int i = 1; i < given.size(); i++) {
            String argument = given.get(i);
            Optional<Path> file = file(argument, start);
            if (file.isEmpty() && i == 1 && isScript(given.getFirst(), argument)) {
                words.add(script(given.getFirst(), argument, start, path));
                continue;
            }
            if (file.isEmpty() && looksLikeAFile(argument) && !exists(argument, start)) {
                warnings.add("there is no file " + argument + " in " + start
                        + "; check the spelling if the reward command should read it");
            }
            boolean isScript = i == 1 && isScript(given.getFirst(), argument);
            if (isScript
                    || SCRIPT.matcher(argument).matches()
                    || TEXT_OR_MODEL.matcher(argument).matches()) {
                file.ifPresent(found -> files.put(argument, found));
            }
            words.add(file.map(Path::toString).orElse(argument));
        }
        return new Command(text.strip(), List.copyOf(words), Map.copyOf(files), List.copyOf(warnings));
    }

    /** Whether the first argument is a script that the program runs. */
    private static boolean isScript(String program, String argument) {
        return INTERPRETER.matcher(nameOf(program)).matches()
                && !argument.isEmpty()
                && !argument.startsWith("-")
                // their first argument may be a subcommand
                && (!nameOf(program).matches("deno|bun")
                        || SCRIPT.matcher(argument).matches());
    }

    private static String nameOf(String program) {
        return program.substring(program.lastIndexOf('/') + 1);
    }

    /** A script that is not a regular file: a folder that Python can run, or a script that a shell finds on the PATH. */
    private static String script(String program, String argument, Path start, String path) {
        if (exists(argument, start)) {
            return start.resolve(argument).toAbsolutePath().normalize().toString();
        }
        boolean onPath = SHELL.matcher(nameOf(program)).matches()
                && !argument.contains("/")
                && folders(path)
                        .anyMatch(
                                folder -> file(argument, start.resolve(folder)).isPresent());
        if (onPath) {
            return argument;
        }
        throw new UserException("there is no file " + argument + (argument.startsWith("/") ? "" : " in " + start)
                + ", which " + program + " should run to compute the reward" + didYouMean(argument, start));
    }

    /** Compares only the last part of a path; long paths would all be similar. */
    private static String didYouMean(String name, Path start) {
        String folder = name.substring(0, name.lastIndexOf('/') + 1);
        List<String> names = neighbours(name, start).stream()
                .map(path -> path.substring(folder.length()))
                .toList();
        String hint = NearestNames.hint(name.substring(folder.length()), names);
        if (!hint.contains("did you mean ")) {
            return "; specify its path";
        }
        return hint.replaceFirst("did you mean ", Matcher.quoteReplacement("did you mean " + folder))
                .replace(" or ", " or " + folder);
    }

    /** Files in the folder where it should be, written like the argument. */
    private static List<String> neighbours(String argument, Path start) {
        String folder = argument.substring(0, argument.lastIndexOf('/') + 1);
        try (Stream<Path> files = Files.list(start.resolve(folder))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder + file.getFileName())
                    .limit(MOST_NEIGHBOURS)
                    .toList();
        } catch (IOException | InvalidPathException e) {
            return List.of();
        }
    }

    private static boolean looksLikeAFile(String argument) {
        return NAME.matcher(argument).matches()
                && (argument.contains("/") || SCRIPT.matcher(argument).matches());
    }

    private static boolean exists(String name, Path start) {
        try {
            return Files.exists(start.resolve(name));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static Stream<String> folders(String path) {
        return Pattern.compile(Pattern.quote(File.pathSeparator)).splitAsStream(path);
    }

    private static String program(String name, Path start, String path) {
        if (name.contains("/")) {
            Path program = file(name, start)
                    .orElseThrow(() -> new UserException("there is no program " + name
                            + (name.startsWith("/") ? "" : " in " + start)
                            + ", which should compute the reward"
                            + didYouMean(name, start)));
            if (!Files.isExecutable(program)) {
                throw new UserException(program + " should compute the reward but is not executable; run chmod +x "
                        + program + ", or start it with its interpreter, as in exec:python3 " + name);
            }
            return program.toString();
        }
        Optional<Path> found = folders(path)
                .flatMap(folder -> file(name, start.resolve(folder)).stream())
                .filter(Files::isExecutable)
                .findFirst();
        if (found.isPresent()) {
            return found.get().toString();
        }
        String here = file(name, start).isPresent() ? "; to run the one in this folder, write exec:./" + name : "";
        throw new UserException("there is no program '" + name + "' on the PATH, which should compute the reward" + here
                + "; install it or specify its path");
    }

    private static Optional<Path> file(String name, Path folder) {
        try {
            return Optional.of(folder.resolve(name).toAbsolutePath().normalize())
                    .filter(path -> !name.isEmpty() && Files.isRegularFile(path));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
