package dev.pgkq.app.study;

import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * {@code reproduce.yaml} in the folder of a grid: every command that trained runs there. A grid may have grown by more seeds
 * or variants; repeating it then takes all of the commands.
 *
 * @param folder of the grid
 */
public record GridFile(Path folder) {
    private Path file() {
        return folder.resolve("reproduce.yaml");
    }

    /** The commands, oldest first; none if there is no file, or it cannot be parsed. */
    public List<String> commands() {
        if (!Files.exists(file())) {
            return List.of();
        }
        try {
            JsonNode root = new YAMLMapper().readTree(Files.readString(file()));
            // former versions wrote a single command
            return Stream.concat(
                            Stream.of(root.path("command")),
                            root.path("commands").valueStream())
                    .filter(JsonNode::isString)
                    .map(JsonNode::asString)
                    .toList();
        } catch (JacksonException e) {
            return List.of();
        } catch (IOException e) {
            throw FileErrors.reading(file(), e);
        }
    }

    /** Adds a command, unless the file has it already. */
    public void add(String command) {
        Set<String> commands = new LinkedHashSet<>(commands());
        commands.add(command);
        String text = commands.stream()
                .map(each -> "  - '" + each.replace("'", "''") + "'\n")
                .collect(Collectors.joining(
                        "", "# The commands that trained the runs in this folder, oldest first.\ncommands:\n", ""));
        WholeFile.replace(file(), text.getBytes(StandardCharsets.UTF_8));
    }
}
