package dev.pgkq.env;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The tasks of all {@linkplain TaskProvider providers} on the class path. */
public final class Tasks {
    private Tasks() {}

    /**
     * {@return all tasks, sorted by name}
     *
     * @throws TaskProviderException if a provider cannot be loaded or two tasks have the same name
     */
    public static List<Task> all() {
        List<Task> tasks = new ArrayList<>();
        try {
            ServiceLoader.load(TaskProvider.class).forEach(provider -> tasks.addAll(provider.tasks()));
        } catch (ServiceConfigurationError e) {
            throw new TaskProviderException(
                    "a jar on the class path names a task provider that cannot be loaded: " + e.getMessage()
                            + "; fix its META-INF/services/" + TaskProvider.class.getName()
                            + " or remove the jar from the class path",
                    e);
        }
        tasks.sort(Comparator.comparing(Task::id));
        for (int i = 1; i < tasks.size(); i++) {
            if (tasks.get(i).id().equals(tasks.get(i - 1).id())) {
                throw new TaskProviderException("two tasks on the class path are called "
                        + tasks.get(i).id() + "; rename one or remove its jar from the class path");
            }
        }
        return tasks;
    }

    /**
     * {@return the task of that name}
     *
     * @param id the exact name, such as {@code Pendulum-v1}
     * @throws UnknownTaskException if there is none
     * @throws TaskProviderException if a provider cannot be loaded or two tasks have the same name
     */
    public static Task named(String id) {
        List<Task> tasks = all();
        for (Task task : tasks) {
            if (task.id().equals(id)) {
                return task;
            }
        }
        throw new UnknownTaskException(id, tasks.stream().map(Task::id).toList());
    }
}
