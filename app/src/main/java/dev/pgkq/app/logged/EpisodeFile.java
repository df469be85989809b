package dev.pgkq.app.logged;

import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.text.UserException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads files of logged episodes: JSON lines, or NumPy's {@code .npz}. The first bytes determine the format, not the file name. */
public final class EpisodeFile {
    private static final int BUFFER = 1 << 16;

    private EpisodeFile() {}

    /**
     * Reads a file.
     *
     * @param progress receives what is being read
     * @throws UserException if the file is invalid; the message says where and why
     */
    public static LoggedEpisodes read(Path file, Consumer<String> progress) {
        progress.accept("reading " + file);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
            in.mark(BUFFER);
            byte[] first = in.readNBytes(2);
            in.reset();
            if (first.length == 0) {
                throw new UserException(file + " is empty; expected one JSON object per line, or a NumPy .npz file");
            }
            if (first.length == 2 && first[0] == 'P' && first[1] == 'K') {
                return NpzEpisodes.read(file);
            }
            if (first[0] == NpyArray.MAGIC_BYTE) {
                throw new UserException(file + " is a single NumPy array; save observations and actions together,"
                        + " with numpy.savez(\"episodes.npz\", observations=…, actions=…)");
            }
            return JsonEpisodes.read(file, in, progress);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }
}
