package dev.pgkq.app.config;

import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.run.FileTrouble;
import dev.pgkq.app.run.WholeFile;
import dev.pgkq.text.NearestNames;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Settings in a YAML file: one {@code key: value} a line, the keys of {@link Setting}. */
public final class ConfigFile {
    private ConfigFile() {}

    /** Reads a file; an unknown key or a value that is not a plain one is an error. */
    public static Map<Setting, Given> read(Path file) {
        JsonNode root = parse(file);
        Map<Setting, Given> values = new EnumMap<>(Setting.class);
        if (root.isMissingNode() || root.isNull()) {
            return values;
        }
        if (!root.isObject()) {
            throw new UserException(file + " should hold lines such as 'batch: 64', not a list or a single value");
        }
        for (Map.Entry<String, JsonNode> entry : root.properties()) {
            String key = entry.getKey();
            Setting setting = Setting.named(key)
                    .orElseThrow(() -> new UserException(
                            file + ": unknown key '" + key + "'" + NearestNames.hint(key, Setting.keys())));
            JsonNode value = entry.getValue();
            if (!value.isValueNode() || value.isNull()) {
                throw new UserException(file + ": '" + key + "' needs a single value");
            }
            values.put(setting, new Given(value.asString(), key + " in " + file));
        }
        return values;
    }

    private static JsonNode parse(Path file) {
        try {
            return new YAMLMapper().readTree(Files.readString(file));
        } catch (IOException e) {
            throw FileTrouble.reading(file, e);
        } catch (JacksonException e) {
            var place = e.getLocation();
            String where = place == null ? "" : ", line " + place.getLineNr() + ", column " + place.getColumnNr();
            throw new UserException(
                    file + where + " is not YAML: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        }
    }

    /** Writes every setting, so that the run can be repeated from this file alone. */
    public static void write(Path file, RunConfig config) {
        StringBuilder text = new StringBuilder(
                "# The settings of this run, all of them." + " 'pgkq train --config' with this file repeats it.\n");
        config.resolved()
                .forEach((key, value) ->
                        text.append(key).append(": ").append(value).append('\n'));
        WholeFile.replace(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }
}
