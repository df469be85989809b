package dev.pgkq.app.report;

import dev.pgkq.app.run.FileTrouble;
import dev.pgkq.app.study.Group;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.study.StudyRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The commands that would repeat a study. */
final class Repeat {
    /** Where a grid of runs keeps what it is. */
    static final String GRID = "reproduce.yaml";

    private Repeat() {}

    /** One command for the grid if one of the folders is a grid, otherwise one for each group. */
    static List<String> commands(List<Path> roots, Study study) {
        List<String> grids = new ArrayList<>();
        for (Path root : roots) {
            grid(root.resolve(GRID)).ifPresent(grids::add);
        }
        return grids.isEmpty() ? study.groups().stream().map(Repeat::command).toList() : grids;
    }

    /** {@code pgkq train} with all that is not at its default, for every seed. */
    static String command(Group group) {
        StudyRun run = group.runs().getFirst();
        StringBuilder command = new StringBuilder("./pgkq train --env ");
        command.append(quoted(run.config().identity().getOrDefault("env", "")))
                .append(" --algo ")
                .append(run.algorithm().id())
                .append(" --iterations ")
                .append(run.planned());
        run.config()
                .choices()
                .forEach((key, value) ->
                        command.append(" --").append(key).append(' ').append(quoted(value)));
        if (group.seeds() == 1) {
            return command.append(" --seed ").append(run.seed()).toString();
        }
        String seeds =
                group.runs().stream().map(one -> Long.toString(one.seed())).collect(Collectors.joining(" "));
        return "for seed in " + seeds + "; do " + command + " --seed $seed; done";
    }

    /** The command that a grid's file names, or one from its settings. */
    private static Optional<String> grid(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            JsonNode root = new YAMLMapper().readTree(Files.readString(file));
            if (!root.isObject()) {
                return Optional.empty();
            }
            String named = root.path("command").asString("");
            return Optional.of(named.isEmpty() ? fromSettings(root) : named);
        } catch (JacksonException e) {
            return Optional.empty(); // what it is not clear about, the runs tell themselves
        } catch (IOException e) {
            throw FileTrouble.reading(file, e);
        }
    }

    private static String fromSettings(JsonNode root) {
        StringBuilder command = new StringBuilder("./pgkq reproduce");
        for (Map.Entry<String, JsonNode> entry : root.properties()) {
            String value = entry.getValue().isArray()
                    ? entry.getValue().valueStream().map(JsonNode::asString).collect(Collectors.joining(","))
                    : entry.getValue().asString("");
            command.append(" --").append(entry.getKey()).append(' ').append(quoted(value));
        }
        return command.toString();
    }

    /** For a shell. */
    static String quoted(String word) {
        return word.matches("[A-Za-z0-9_.,:/=+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
