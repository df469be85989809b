package dev.pgkq.app.logged;

import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.NearestNames;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** A NumPy {@code .npz} file: a zip archive with one {@code .npy} file per array. */
final class Npz implements AutoCloseable {
    private static final String SUFFIX = ".npy";

    private final Path file;
    private final ZipFile zip;

    private Npz(Path file, ZipFile zip) {
        this.file = file;
        this.zip = zip;
    }

    static Npz open(Path file) {
        try {
            return new Npz(file, new ZipFile(file.toFile()));
        } catch (IOException e) {
            throw readError(file, e);
        }
    }

    /** An array of floats with its shape. */
    @SuppressWarnings("ArrayRecordComponent")
    record FloatArray(int[] shape, String shapeText, float[] values) {
        int extent(int dimension) {
            return shape[dimension];
        }
    }

    /** Reads a required array of floats. */
    FloatArray floats(String name) {
        ZipEntry entry = zip.getEntry(name + SUFFIX);
        if (entry == null) {
            throw new UserException(
                    file + " has no array '" + name + "'" + Excerpt.first(NearestNames.hint(name, names())));
        }
        return read(entry, name, array -> new FloatArray(array.shape(), array.shapeText(), array.floats()));
    }

    /** Reads an optional array of non-negative integers. */
    Optional<int[]> counts(String name) {
        ZipEntry entry = zip.getEntry(name + SUFFIX);
        return entry == null
                ? Optional.empty()
                : Optional.of(read(entry, name, array -> {
                    if (array.shape().length != 1) {
                        throw new UserException(file + ": the array '" + name
                                + "' must be one-dimensional but has shape " + array.shapeText());
                    }
                    return array.counts();
                }));
    }

    private List<String> names() {
        return zip.stream()
                .map(entry -> entry.getName().replaceFirst("\\.npy$", ""))
                .toList();
    }

    @FunctionalInterface
    private interface ArrayReader<T> {
        T read(NpyArray array) throws IOException;
    }

    /** Reads an array and verifies its checksum, which Java does not do by itself. */
    private <T> T read(ZipEntry entry, String name, ArrayReader<T> reader) {
        String where = file + ": the array '" + name + "'";
        try (CheckedInputStream in = new CheckedInputStream(zip.getInputStream(entry), new CRC32())) {
            T values = reader.read(NpyArray.open(where, in, entry.getSize()));
            if (in.read() >= 0 || in.getChecksum().getValue() != entry.getCrc()) {
                throw new UserException(where + " is corrupt: its checksum does not match");
            }
            return values;
        } catch (IOException e) {
            throw readError(file, e);
        }
    }

    private static UserException readError(Path file, IOException e) {
        return e instanceof ZipException
                ? new UserException(
                        file + " is not a valid .npz file: " + Excerpt.first(String.valueOf(e.getMessage())), e)
                : FileErrors.reading(file, e);
    }

    @Override
    public void close() {
        try {
            zip.close();
        } catch (IOException e) {
            throw readError(file, e);
        }
    }
}
