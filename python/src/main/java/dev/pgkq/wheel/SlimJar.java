package dev.pgkq.wheel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A jar as a wheel carries it: without what is never loaded, and not compressed, because the wheel compresses each jar as a whole. That
 * saves a fifth, since the classes of a jar resemble each other.
 */
final class SlimJar {
    private static final String SQLITE = "org/sqlite/native/";
    private static final String OPENBLAS = "org/bytedeco/openblas/";

    private final Platform platform;

    SlimJar(Platform platform) {
        this.platform = platform;
    }

    /** The new contents of a jar. */
    byte[] of(Path jar) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipFile in = new ZipFile(jar.toFile());
                ZipOutputStream out = new ZipOutputStream(bytes)) {
            out.setMethod(ZipOutputStream.STORED);
            Enumeration<? extends ZipEntry> entries = in.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (!entry.isDirectory() && isUsed(entry.getName())) {
                    byte[] contents = in.getInputStream(entry).readAllBytes();
                    CRC32 sum = new CRC32();
                    sum.update(contents);
                    ZipEntry copy = new ZipEntry(entry.getName());
                    copy.setSize(contents.length);
                    copy.setCrc(sum.getValue());
                    copy.setTimeLocal(WheelFile.TIME);
                    out.putNextEntry(copy);
                    out.write(contents);
                }
            }
        }
        return bytes.toByteArray();
    }

    private boolean isUsed(String name) {
        if (name.startsWith(SQLITE)) {
            return name.startsWith(SQLITE + platform.sqlite() + "/");
        }
        // pgkq calls OpenBLAS itself, without JavaCPP's bindings
        return !name.startsWith(OPENBLAS) || !(name.contains("jniopenblas") || name.contains("/include/"));
    }
}
