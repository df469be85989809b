package dev.pgkq.env;

import java.util.List;

/**
 * Adds tasks to {@link Tasks}. Implementations are found with {@link java.util.ServiceLoader}: a jar on the class path that
 * names its provider in {@code META-INF/services/dev.pgkq.env.TaskProvider} adds its tasks.
 */
public interface TaskProvider {
    /** Returns the tasks of this provider. */
    List<Task> tasks();
}
