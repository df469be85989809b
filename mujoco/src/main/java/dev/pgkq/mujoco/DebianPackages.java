package dev.pgkq.mujoco;

import dev.pgkq.platform.LibraryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Fetches MuJoCo from the packages of Debian and its derivatives, without installing them and without root:
 * {@code apt-get download} downloads into any folder, with apt's own sources and signatures, and {@code dpkg-deb -x} unpacks.
 *
 * <p>If the machine has no package lists, or stale ones, they are downloaded into a temporary folder. The dependencies of
 * libmujoco are read from the package itself, because the names of these packages change from release to release.
 */
final class DebianPackages {
    static final String PACKAGE = "libmujoco2.2.2";

    /** The C and C++ runtimes must be the system's own. */
    private static final Set<String> RUNTIMES = Set.of("libc6", "libgcc-s1", "libstdc++6");

    private final List<String> aptOptions;

    /**
     * Creates a fetcher.
     *
     * @param aptOptions additional options for apt-get, such as the location of its lists
     */
    DebianPackages(List<String> aptOptions) {
        this.aptOptions = List.copyOf(aptOptions);
    }

    /** Returns whether the machine has the tools. */
    static boolean available() {
        return Command.exists("apt-get") && Command.exists("dpkg-deb");
    }

    /** Creates the folder with all libraries, or fails without creating it. */
    void fetchInto(LibraryFolder target) throws IOException {
        if (!available()) {
            throw new IOException("this machine has no apt-get and dpkg-deb");
        }
        System.err.println("fetching MuJoCo 2.2.2 from Debian's packages into " + target.path());
        target.make(work -> librariesIn(unpack(download(work), work)));
    }

    private Path download(Path work) throws IOException {
        Path debs = Files.createDirectory(work.resolve("debs"));
        Path cache = work.resolve("cache");
        Files.createDirectories(cache.resolve("archives").resolve("partial"));
        List<String> options = new ArrayList<>(aptOptions);
        options.addAll(option("Dir::Cache", cache));
        options.addAll(option("Debug::NoLocking", "1"));
        // As root, apt would download as a user without access to this folder. For other users this changes nothing.
        options.addAll(option("APT::Sandbox::User", "root"));
        options.addAll(option("Acquire::Retries", "2"));
        options.addAll(option("Acquire::http::Timeout", "20"));
        List<String> pack = List.of(PACKAGE);
        if (!Command.execute(debs, apt(options, "download", pack)).succeeded()) {
            options.addAll(ownLists(work));
            // Failing sources do not matter as long as the package can be downloaded.
            Command.Result update = Command.execute(debs, apt(options, "update", List.of()));
            Command.Result download = Command.execute(debs, apt(options, "download", pack));
            if (!download.succeeded()) {
                throw new IOException("apt-get failed: " + (update.errors() + download.errors()).strip());
            }
        }
        Command.run(debs, apt(options, "download", dependencies(debs)));
        return debs;
    }

    private static List<String> ownLists(Path work) throws IOException {
        Path state = work.resolve("state");
        Path lists = state.resolve("lists");
        Files.createDirectories(lists.resolve("partial"));
        List<String> options = new ArrayList<>();
        options.addAll(option("Dir::State", state));
        options.addAll(option("Dir::State::lists", lists));
        options.addAll(option("Dir::State::status", "/var/lib/dpkg/status"));
        options.addAll(option("Acquire::Languages", "none"));
        options.addAll(option("Acquire::IndexTargets::deb::DEP-11::DefaultEnabled", "false"));
        return options;
    }

    private static List<String> option(String name, Object value) {
        return List.of("-o", name + "=" + value);
    }

    private static List<String> apt(List<String> options, String verb, List<String> packages) {
        List<String> command = new ArrayList<>(List.of("apt-get", "-q"));
        command.addAll(options);
        command.add(verb);
        command.addAll(packages);
        return command;
    }

    /** Returns the names in "libccd2 (>= 2.0), libc6 (>= 2.34), …" except the C and C++ runtimes. */
    private static List<String> dependencies(Path debs) throws IOException {
        String deb = files(debs, ".deb").getFirst().toString();
        return dependencies(Command.run(debs, List.of("dpkg-deb", "-f", deb, "Depends")));
    }

    static List<String> dependencies(String depends) {
        return Arrays.stream(depends.split(",", -1))
                .map(each -> each.strip().split("[ (:|]", 2)[0])
                .filter(name -> !name.isEmpty() && !RUNTIMES.contains(name))
                .toList();
    }

    private static Path unpack(Path debs, Path work) throws IOException {
        Path root = Files.createDirectory(work.resolve("root"));
        for (Path deb : files(debs, ".deb")) {
            Command.run(debs, List.of("dpkg-deb", "-x", deb.toString(), root.toString()));
        }
        return root;
    }

    /**
     * Returns libmujoco and the libraries that it links to. A library is a file and usually a link to it under the SONAME,
     * which the loader looks for; the copy needs the SONAME only.
     */
    private static List<Path> librariesIn(Path root) throws IOException {
        List<Path> wanted = files(root, "").stream()
                .filter(file -> MujocoLibrary.belongs(file.getFileName().toString()))
                .toList();
        Set<Path> linkedTo = new HashSet<>();
        for (Path file : wanted) {
            if (Files.isSymbolicLink(file)) {
                linkedTo.add(file.resolveSibling(Files.readSymbolicLink(file)));
            }
        }
        return wanted.stream().filter(file -> !linkedTo.contains(file)).toList();
    }

    private static List<Path> files(Path folder, String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(suffix) && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        }
    }
}
