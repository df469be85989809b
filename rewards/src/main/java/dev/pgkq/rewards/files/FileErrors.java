package dev.pgkq.rewards.files;

import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Error messages for files that cannot be read or written: the JDK's own messages often contain only the path. */
public final class FileErrors {
    private FileErrors() {}

    /** The error of a file that cannot be read. */
    public static UserException reading(Path file, IOException e) {
        return new UserException("cannot read " + file + ": " + reason(e), e);
    }

    /** The error of a file that cannot be written. */
    public static UserException writing(Path file, IOException e) {
        return new UserException("cannot write " + file + ": " + reason(e), e);
    }

    private static String reason(IOException e) {
        if (e instanceof CharacterCodingException) {
            return "it is not UTF-8 text";
        }
        String text = String.valueOf(e.getMessage());
        if (text.contains("No space left") || text.contains("Disk quota exceeded")) {
            return "the disk is full. Free some space, then try again";
        }
        if (text.contains("Read-only file system")) {
            return "its file system is read-only. Make it writable, then try again";
        }
        if (text.contains("Too many open files")) {
            return "this process has too many open files. Raise the limit, for example with 'ulimit -n 4096', and start"
                    + " again; what was saved is intact";
        }
        String given = e instanceof FileSystemException system ? system.getReason() : e.getMessage();
        if (given != null) {
            return given;
        }
        return switch (e) {
            case NoSuchFileException _ -> "it does not exist";
            case AccessDeniedException _ -> "permission denied";
            case NotDirectoryException _ -> "part of its path is not a folder";
            case FileAlreadyExistsException _ -> "it already exists";
            default -> e.getClass().getSimpleName();
        };
    }
}
