package dev.pgkq.app.config;

import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.rewards.files.BoundedFile;
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

/** Settings in a YAML file: a {@code key: value} per line, with the keys of {@link Setting}. */
public final class ConfigFile {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final int MAX_BYTES = 1 << 20;

    /** Every text in JSON is also one in YAML. */
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private ConfigFile() {}

    /** Reads the settings of a run. Unknown keys and values that are lists or maps are errors. */
    public static Map<Setting, Given> read(Path file) {
        try {
            return parse(file, BoundedFile.text(file, MAX_BYTES));
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    /** Reads a file that the user names, which may be the output of a program. */
    public static Map<Setting, Given> readNamed(Path file) {
        try {
            return parse(file, Files.readString(file));
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    /** Reads the contents of {@code file}, up to the first error. */
    static Map<Setting, Given> parse(Path file, String text) {
        Map<Setting, Given> values = new EnumMap<>(Setting.class);
        try (JsonParser yaml = YAML.createParser(text)) {
            JsonToken first = yaml.nextToken();
            if (first == null) {
                return values;
            }
            if (first != JsonToken.START_OBJECT) {
                throw new UserException(file + " must contain lines such as 'batch: 64', not a list or a single value");
            }
            while (yaml.nextToken() == JsonToken.PROPERTY_NAME) {
                String key = yaml.currentName();
                Setting setting = Setting.named(key)
                        .orElseThrow(() -> new UserException(file + ": unknown key '" + Excerpt.first(key) + "'"
                                + NearestNames.hint(key, Setting.keys())));
                if (values.put(setting, new Given(value(file, setting, yaml), key + " in " + file)) != null) {
                    throw new UserException(file + ": '" + key + "' is given twice; remove one of them");
                }
            }
            if (yaml.nextToken() != null) {
                throw new UserException(file + " must be one document, but a second one starts at '---'");
            }
            return values;
        } catch (JacksonException e) {
            var place = e.getLocation();
            String where = place == null ? "" : ", line " + place.getLineNr() + ", column " + place.getColumnNr();
            String what = e.getOriginalMessage().lines().findFirst().orElse("");
            throw new UserException(file + where + " is not YAML: " + Excerpt.first(what), e);
        }
    }

    /** The value; a text stays as it is written even if it looks like a number: a folder may be called 1.10. */
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

    /** Writes every setting, so that this file alone repeats the run. Only its owner can read it: there may be passwords in it. */
    public static void write(Path file, RunConfig config) {
        WholeFile.replacePrivately(file, text(config).getBytes(StandardCharsets.UTF_8));
    }

    static String text(RunConfig config) {
        StringBuilder text =
                new StringBuilder("# All settings of this run. 'pgkq train --config' with this file repeats it.\n");
        config.resolved()
                .forEach((setting, value) -> text.append(setting.key())
                        .append(": ")
                        .append(readsBack(setting, value) ? value : JSON.writeValueAsString(value))
                        .append('\n'));
        return text.toString();
    }

    /** Whether YAML reads the value back without quotes. A command may have colons, hashes and line feeds. */
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
