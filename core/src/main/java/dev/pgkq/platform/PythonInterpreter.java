package dev.pgkq.platform;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Which Python runs: the one rule for environments and for rewards. */
public final class PythonInterpreter {
    private PythonInterpreter() {}

    /**
     * The command that starts Python.
     *
     * @param given an interpreter, a file or a name on the {@code PATH}, or the folder of a virtual environment; empty for the active
     *     virtual environment, or else {@code python3}
     * @param start folder that a relative name refers to
     * @param environment environment variables
     */
    public static String command(String given, Path start, Map<String, String> environment) {
        String folder = given.isEmpty() ? environment.getOrDefault("VIRTUAL_ENV", "") : given;
        if (folder.isEmpty()) {
            return "python3";
        }
        String inside = folder + "/bin/python";
        return given.isEmpty() || Files.isExecutable(start.resolve(inside)) ? inside : given;
    }
}
