package dev.pgkq.env;

import dev.pgkq.text.NearestNames;
import dev.pgkq.text.UserException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** The catalogue of tasks on the class path. */
public final class Tasks {
    private Tasks() {}

    public static List<Task> all() {
        List<Task> tasks = new ArrayList<>();
        ServiceLoader.load(TaskProvider.class).forEach(provider -> tasks.addAll(provider.tasks()));
        tasks.sort(Comparator.comparing(Task::id));
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
