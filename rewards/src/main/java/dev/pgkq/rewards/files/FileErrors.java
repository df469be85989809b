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

/** A file that cannot be read or written, in words: the JDK's own messages are often the path and nothing else. */
public final class FileErrors {
    private FileErrors() {}

    public static UserException reading(Path file, IOException e) {
        return new UserException("cannot read " + file + ": " + reason(e), e);
    }

    public static UserException writing(Path file, IOException e) {
        return new UserException("cannot write " + file + ": " + reason(e), e);
    }

    private static String reason(IOException e) {
        if (e instanceof CharacterCodingException) {
            return "it is not a text in UTF-8";
        }
        String text = String.valueOf(e.getMessage());
        if (text.contains("No space left") || text.contains("Disk quota exceeded")) {
            return "the disk is full. Make room, then try again";
        }
        if (text.contains("Read-only file system")) {
            return "its disk may only be read. Allow writing it, then try again";
        }
        String given = e instanceof FileSystemException system ? system.getReason() : e.getMessage();
        if (given != null) {
            return given;
        }
        return switch (e) {
            case NoSuchFileException _ -> "it does not exist";
            case AccessDeniedException _ -> "permission denied";
            case NotDirectoryException _ -> "a part of its path is not a folder";
            case FileAlreadyExistsException _ -> "something else has that name already";
            default -> e.getClass().getSimpleName();
        };
    }
}
