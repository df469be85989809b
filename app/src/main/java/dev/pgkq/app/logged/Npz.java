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

/** Several arrays of NumPy's in a {@code .npz}: a zip archive with a {@code .npy} file for each. */
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
            throw trouble(file, e);
        }
    }

    /** Floats with the shape of their array. */
    @SuppressWarnings("ArrayRecordComponent")
    record Table(int[] shape, String shapeText, float[] values) {
        int extent(int dimension) {
            return shape[dimension];
        }
    }

    /** The array of that name, which there must be. */
    Table table(String name) {
        ZipEntry entry = zip.getEntry(name + SUFFIX);
        if (entry == null) {
            throw new UserException(
                    file + " has no array '" + name + "'" + Excerpt.first(NearestNames.hint(name, names())));
        }
        return read(entry, name, array -> new Table(array.shape(), array.shapeText(), array.floats()));
    }

    /** Whole numbers, if there is an array of that name. */
    Optional<int[]> counts(String name) {
        ZipEntry entry = zip.getEntry(name + SUFFIX);
        return entry == null
                ? Optional.empty()
                : Optional.of(read(entry, name, array -> {
                    if (array.shape().length != 1) {
                        throw new UserException(file + ": the array '" + name
                                + "' should be a list of numbers and has the" + " shape " + array.shapeText());
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
    private interface Reading<T> {
        T of(NpyArray array) throws IOException;
    }

    /** Java does not look at the checksums of an archive's entries by itself. */
    private <T> T read(ZipEntry entry, String name, Reading<T> reading) {
        String where = file + ": the array '" + name + "'";
        try (CheckedInputStream in = new CheckedInputStream(zip.getInputStream(entry), new CRC32())) {
            T values = reading.of(NpyArray.open(where, in, entry.getSize()));
            if (in.read() >= 0 || in.getChecksum().getValue() != entry.getCrc()) {
                throw new UserException(where + " is damaged: its checksum does not fit");
            }
            return values;
        } catch (IOException e) {
            throw trouble(file, e);
        }
    }

    private static UserException trouble(Path file, IOException e) {
        return e instanceof ZipException
                ? new UserException(
                        file + " is not a sound .npz file: " + Excerpt.first(String.valueOf(e.getMessage())), e)
                : FileErrors.reading(file, e);
    }

    @Override
    public void close() {
        try {
            zip.close();
        } catch (IOException e) {
            throw trouble(file, e);
        }
    }
}
