package dev.pgkq.app.oracle;

import dev.pgkq.text.UserException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A command that can be started in any folder. Programs get a working directory of their own for each evaluation, so the
 * program, and every argument that is the name of a file where pgkq was started, becomes a whole path; all other arguments
 * are as they were given.
 *
 * @param text as it was given
 * @param words program and arguments
 */
record Command(String text, List<String> words) {

    /**
     * Looks for the program.
     *
     * @param start where pgkq was started
     * @param environment tells the {@code PATH}
     * @throws UserException if there is no such program
     */
    static Command find(String text, Path start, Map<String, String> environment) {
        List<String> given = CommandWords.split(text);
        if (given.isEmpty()) {
            throw new UserException("exec: needs a command, such as exec:python3 score.py");
        }
        List<String> words = new ArrayList<>();
        words.add(program(given.getFirst(), start, environment.getOrDefault("PATH", "")));
        for (String argument : given.subList(1, given.size())) {
            words.add(file(argument, start).map(Path::toString).orElse(argument));
        }
        return new Command(text.strip(), List.copyOf(words));
    }

    private static String program(String name, Path start, String path) {
        if (name.contains("/")) {
            Path program = file(name, start)
                    .orElseThrow(() -> new UserException("there is no program " + name + " (looked in " + start
                            + "), which should tell the reward; give the path to it"));
            if (!Files.isExecutable(program)) {
                throw new UserException(program + " should tell the reward, but is not executable; 'chmod +x " + program
                        + "' makes it so, or put the program that reads it in front, as in exec:python3 " + name);
            }
            return program.toString();
        }
        for (String folder : Pattern.compile(Pattern.quote(File.pathSeparator)).split(path, -1)) {
            Optional<Path> program = file(name, start.resolve(folder)).filter(Files::isExecutable);
            if (program.isPresent()) {
                return program.get().toString();
            }
        }
        String here = file(name, start).isPresent() ? "; the one in this folder is exec:./" + name : "";
        throw new UserException("there is no program '" + name + "' on the PATH, which should tell the reward" + here
                + "; install it, or give the path to it");
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
