package dev.pgkq.wheel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Puts the wheel together.
 *
 * @param platform what it is for
 * @param version of pgkq, as Maven writes it
 * @param root the repository
 * @param jars ours and all that they need to run
 * @param target where the wheel goes, and what is kept for the next build
 */
record WheelBuilder(Platform platform, String version, Path root, Path jars, Path target) {
    private static final String PACKAGE = "pgkq/";

    /** The version as Python writes it. */
    String pythonVersion() {
        return version.replaceFirst("-SNAPSHOT$", ".dev0");
    }

    Path wheel() {
        return target.resolve("pgkq-" + pythonVersion() + "-py3-none-" + platform.tag() + ".whl");
    }

    /** Builds the wheel if anything in it has changed. */
    void build() throws IOException {
        Map<String, Path> sources = sources();
        List<Path> libraries = files(jars, ".jar");
        Path made = target.resolve("wheel.made-of");
        String inputs = inputs(sources, libraries);
        if (Files.exists(wheel())
                && Files.exists(made)
                && Files.readString(made).equals(inputs)) {
            return;
        }
        Files.deleteIfExists(made);
        Path runtime = target.resolve("runtime");
        RuntimeImage.link(runtime);
        Path unfinished = target.resolve("unfinished.whl");
        Files.deleteIfExists(unfinished);
        try (WheelFile wheel = new WheelFile(unfinished, info())) {
            for (Map.Entry<String, Path> source : sources.entrySet()) {
                wheel.add(source.getKey(), Files.readAllBytes(source.getValue()), false);
            }
            SlimJar slim = new SlimJar(platform);
            for (Path jar : libraries) {
                wheel.add(PACKAGE + "jars/" + jar.getFileName(), slim.of(jar), false);
            }
            for (Path file : files(runtime, "")) {
                String name = PACKAGE + "runtime/" + runtime.relativize(file);
                wheel.add(name, Files.readAllBytes(file), Files.isExecutable(file));
            }
            describe(wheel, sources);
        }
        Files.move(unfinished, wheel(), StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(made, inputs);
    }

    private String info() {
        return "pgkq-" + pythonVersion() + ".dist-info";
    }

    /** The package's own files and the licences, by their names in the wheel. */
    private Map<String, Path> sources() throws IOException {
        Map<String, Path> sources = new TreeMap<>();
        Path python = root.resolve("python");
        for (Path file : files(python.resolve("pgkq"), "")) {
            if (!file.toString().contains("__pycache__")) {
                sources.put(python.relativize(file).toString(), file);
            }
        }
        // what steps environments; without the wheel, Java unpacks the same file from its own jar
        sources.put(PACKAGE + "worker.py", root.resolve("gym/src/main/resources/dev/pgkq/gym/worker.py"));
        sources.put(info() + "/licenses/LICENSE", root.resolve("LICENSE"));
        Path licences = python.resolve("licences");
        for (Path file : files(licences, "")) {
            sources.put(info() + "/licenses/" + licences.relativize(file), file);
        }
        return sources;
    }

    private void describe(WheelFile wheel, Map<String, Path> sources) throws IOException {
        String licences = sources.keySet().stream()
                .filter(name -> name.startsWith(info() + "/licenses/"))
                .map(name -> "License-File: " + name.substring((info() + "/licenses/").length()) + "\n")
                .collect(Collectors.joining());
        wheel.add(info() + "/METADATA", """
                Metadata-Version: 2.4
                Name: pgkq
                Version: %s
                Summary: Rewards when evaluating them is the expensive part: which to pay for, and estimates of all others
                License-Expression: Apache-2.0
                %sRequires-Python: >=3.9
                Requires-Dist: numpy>=1.22
                Description-Content-Type: text/markdown

                %s""".formatted(
                        pythonVersion(), licences, Files.readString(root.resolve("python/README.md"))));
        wheel.add(info() + "/WHEEL", """
                Wheel-Version: 1.0
                Generator: pgkq
                Root-Is-Purelib: false
                Tag: py3-none-%s
                """.formatted(platform.tag()));
        wheel.add(info() + "/entry_points.txt", """
                [console_scripts]
                pgkq = pgkq.command:main
                """);
    }

    /** One line that changes with anything that goes into the wheel. */
    private String inputs(Map<String, Path> sources, List<Path> libraries) throws IOException {
        MessageDigest all = WheelFile.sha256();
        all.update((wheel() + " " + Runtime.version() + RuntimeImage.MODULES).getBytes(StandardCharsets.UTF_8));
        for (Map.Entry<String, Path> source : sources.entrySet()) {
            all.update(source.getKey().getBytes(StandardCharsets.UTF_8));
            all.update(Files.readAllBytes(source.getValue()));
        }
        all.update(Files.readAllBytes(root.resolve("python/README.md")));
        for (Path jar : libraries) {
            all.update(jar.getFileName().toString().getBytes(StandardCharsets.UTF_8));
            all.update(Files.readAllBytes(jar));
        }
        for (Path file : files(root.resolve("python/src/main"), "")) {
            all.update(Files.readAllBytes(file));
        }
        return HexFormat.of().formatHex(all.digest());
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(
                            file -> Files.isRegularFile(file) && file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }
}
