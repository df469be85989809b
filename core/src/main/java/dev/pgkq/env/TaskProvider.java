package dev.pgkq.env;

import java.util.List;

/**
 * Adds tasks to {@link Tasks}. Implementations are found with {@link java.util.ServiceLoader}: a jar on the class path that
 * names its provider in {@code META-INF/services/dev.pgkq.env.TaskProvider} adds its tasks.
 */
public interface TaskProvider {
    /** {@return the tasks of this provider; names must be unique among all providers} */
    List<Task> tasks();
}
