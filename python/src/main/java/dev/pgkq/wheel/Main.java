package dev.pgkq.wheel;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** {@code Main VERSION ROOT JARS TARGET}: builds the wheel of this machine, when Maven packages the module. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws IOException {
        String os = System.getProperty("os.name");
        String machine = System.getProperty("os.arch");
        Optional<Platform> platform = Platform.of(os, machine);
        if (platform.isEmpty()) {
            System.out.println(
                    "no wheel: the Python package is built on Linux and macOS only, not on " + os + " " + machine);
            return;
        }
        new WheelBuilder(platform.get(), args[0], Path.of(args[1]), Path.of(args[2]), Path.of(args[3])).build();
    }
}
