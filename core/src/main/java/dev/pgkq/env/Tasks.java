package dev.pgkq.env;

import dev.pgkq.text.NearestNames;
import dev.pgkq.text.UserException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The catalogue of tasks on the class path. */
public final class Tasks {
    private Tasks() {}

    public static List<Task> all() {
        List<Task> tasks = new ArrayList<>();
        try {
            ServiceLoader.load(TaskProvider.class).forEach(provider -> tasks.addAll(provider.tasks()));
        } catch (ServiceConfigurationError e) {
            throw new UserException(
                    "a jar on the class path names a task provider that cannot be used: " + e.getMessage()
                            + "; mend its META-INF/services/" + TaskProvider.class.getName()
                            + " or take it off the class"
                            + " path",
                    e);
        }
        tasks.sort(Comparator.comparing(Task::id));
        for (int i = 1; i < tasks.size(); i++) {
            if (tasks.get(i).id().equals(tasks.get(i - 1).id())) {
                throw new UserException("two tasks on the class path are called "
                        + tasks.get(i).id() + "; rename one or take its jar off the class path");
            }
        }
        return tasks;
    }

    /**
     * The task of that name.
     *
     * @throws UserException with the nearest names, when there is none
     */
    public static Task named(String id) {
        List<Task> tasks = all();
        for (Task task : tasks) {
            if (task.id().equals(id)) {
                return task;
            }
        }
        throw new UserException("unknown task '" + id + "'"
                + NearestNames.hint(id, tasks.stream().map(Task::id).toList()));
    }
}
