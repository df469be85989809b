package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.rewards.files.BoundedFile;
import dev.pgkq.rewards.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The file by which programs of the same user find a running adviser: {@code service.json} in its folder, with address, port, process
 * and the token if there is one. It exists while the adviser runs; if it was killed, the file stays and names a process that is dead.
 *
 * @param file its path
 */
public record ServiceFile(Path file) implements AutoCloseable {
    private static final String NAME = "service.json";
    private static final int MAX_BYTES = 10_000;

    /** Writes the file, which only its owner can read. */
    public static ServiceFile write(Path folder, AdviserServer server) {
        // none of these needs quoting, and a library for JSON would take longer to load than the rest of the start
        StringBuilder json = new StringBuilder("{\"address\":\"").append(server.address());
        json.append("\",\"port\":").append(server.port());
        json.append(",\"pid\":").append(ProcessHandle.current().pid());
        server.tokens()
                .ifPresent(tokens ->
                        json.append(",\"token\":\"").append(tokens.rater()).append('"'));
        json.append("}\n");
        Path file = folder.resolve(NAME);
        WholeFile.replacePrivately(file, json.toString().getBytes(UTF_8));
        return new ServiceFile(file);
    }

    /** The address of the adviser that uses a folder, if the file names one. */
    public static Optional<String> address(Path folder) {
        try {
            return Json.objectOrEmpty(BoundedFile.text(folder.resolve(NAME), MAX_BYTES))
                    .path("address")
                    .asStringOpt();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Removes the file. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // it names a process that is dead
        }
    }
}
