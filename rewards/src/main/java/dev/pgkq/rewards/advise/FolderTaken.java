package dev.pgkq.rewards.advise;

import dev.pgkq.text.UserException;
import java.nio.file.Path;

/** Another process has the folder of an adviser. */
public final class FolderTaken extends UserException {
    private static final long serialVersionUID = 1L;

    FolderTaken(Path folder) {
        super("another process uses " + folder + "; talk to that one, stop it, or use another folder");
    }
}
