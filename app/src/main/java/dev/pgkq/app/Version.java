package dev.pgkq.app;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, which the build writes into {@code version.properties}. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            if (in == null) {
                throw new IllegalStateException("the build has no version.properties");
            }
            properties.load(in);
        }
        return new String[] {"pgkq " + properties.getProperty("version")};
    }
}
