package dev.pgkq.rewards;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A small file system for a shell script. It is mounted in a user namespace, which requires no privileges; if the system does not
 * support that, the test is skipped. It disappears when the script ends.
 *
 * @param path its mount point, {@code $disk} in the script
 * @param megabytes its size
 */
public record SmallDisk(Path path, int megabytes) {
    private record Result(int exit, String out) {}

    /**
     * Runs a script.
     *
     * @param child a command that the script can call as {@code $child}, with further arguments
     * @return its output
     */
    public String run(List<String> child, String script) throws IOException, InterruptedException {
        Files.createDirectories(path);
        String mount = "mount -t tmpfs -o size=" + megabytes + "m pgkq '" + path + "'";
        assumeTrue(
                run("unshare", "-Urm", "sh", "-c", mount).exit() == 0,
                "this system does not let tests mount a small disk (unshare -Urm)");
        Path command = path.resolveSibling("child.sh");
        String words = child.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        Files.writeString(command, "#!/bin/sh\nexec " + words + " \"$@\"\n");
        command.toFile().setExecutable(true);
        Result result = run(
                "unshare",
                "-Urm",
                "sh",
                "-e",
                "-c",
                mount + "\ndisk='" + path + "'\nchild='" + command + "'\n" + script);
        assertThat(result.exit()).as(result.out()).isZero();
        return result.out();
    }

    private static Result run(String... command) throws IOException, InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String out = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new Result(process.waitFor(), out);
        } catch (IOException e) {
            return new Result(-1, e.toString());
        }
    }
}
