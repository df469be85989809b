package dev.pgkq.rewards.oracle;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Deletes working directories. */
final class WorkFolder {
    private WorkFolder() {}

    /** Deletes a folder with its contents, without following links. What cannot be deleted stays: the answer matters more. */
    static void delete(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path done, @Nullable IOException e) throws IOException {
                    Files.delete(done);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            // See above.
        }
    }
}
