package dev.pgkq.app.config;

import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.NearestNames;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Settings in a YAML file: one {@code key: value} a line, the keys of {@link Setting}. */
public final class ConfigFile {
    private static final YAMLMapper YAML = new YAMLMapper();

    /** A text in JSON is one in YAML. */
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private ConfigFile() {}

    /** Reads a file; an unknown key or a value that is not a plain one is an error. */
    public static Map<Setting, Given> read(Path file) {
        try {
            return parse(file, Files.readString(file));
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    /** The same of what {@code file} holds. It is read up to the first thing that has no place in it. */
    static Map<Setting, Given> parse(Path file, String text) {
        Map<Setting, Given> values = new EnumMap<>(Setting.class);
        try (JsonParser yaml = YAML.createParser(text)) {
            JsonToken first = yaml.nextToken();
            if (first == null) {
                return values;
            }
            if (first != JsonToken.START_OBJECT) {
                throw new UserException(file + " should hold lines such as 'batch: 64', not a list or a single value");
            }
            while (yaml.nextToken() == JsonToken.PROPERTY_NAME) {
                String key = yaml.currentName();
                Setting setting = Setting.named(key)
                        .orElseThrow(() -> new UserException(file + ": unknown key '" + Excerpt.first(key) + "'"
                                + NearestNames.hint(key, Setting.keys())));
                if (values.put(setting, new Given(value(file, setting, yaml), key + " in " + file)) != null) {
                    throw new UserException(file + ": '" + key + "' is there twice; leave one of them out");
                }
            }
            if (yaml.nextToken() != null) {
                throw new UserException(file + " should hold settings once, and a second part begins at '---'");
            }
            return values;
        } catch (JacksonException e) {
            var place = e.getLocation();
            String where = place == null ? "" : ", line " + place.getLineNr() + ", column " + place.getColumnNr();
            String what = e.getOriginalMessage().lines().findFirst().orElse("");
            throw new UserException(file + where + " is not YAML: " + Excerpt.first(what), e);
        }
    }

    /** A text as it is written there, also where it looks like a number: a folder may be called 1.10. */
    private static String value(Path file, Setting setting, JsonParser yaml) {
        String value = switch (yaml.nextToken()) {
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                setting.spec().isText()
                        ? yaml.getString()
                        : yaml.getNumberValue().toString();
            case VALUE_STRING, VALUE_TRUE, VALUE_FALSE -> yaml.getString();
            case null, default -> "";
        };
        if (value.isBlank()) {
            throw new UserException(file + ", line "
                    + yaml.currentTokenLocation().getLineNr() + ": '" + setting.key() + "' needs a single value");
        }
        return value;
    }

    /** Writes every setting, so that the run can be repeated from this file alone. */
    public static void write(Path file, RunConfig config) {
        WholeFile.replace(file, text(config).getBytes(StandardCharsets.UTF_8));
    }

    static String text(RunConfig config) {
        StringBuilder text = new StringBuilder(
                "# The settings of this run, all of them." + " 'pgkq train --config' with this file repeats it.\n");
        config.resolved()
                .forEach((setting, value) -> text.append(setting.key())
                        .append(": ")
                        .append(readsBack(setting, value) ? value : JSON.writeValueAsString(value))
                        .append('\n'));
        return text.toString();
    }

    /** Numbers and words do; a text such as a command may have colons, hashes and line feeds, and needs quotes. */
    private static boolean readsBack(Setting setting, String value) {
        if (!setting.spec().isText()) {
            return true;
        }
        try {
            Given read = parse(Path.of(""), setting.key() + ": " + value).get(setting);
            return read != null && read.text().equals(value);
        } catch (UserException e) {
            return false;
        }
    }
}
