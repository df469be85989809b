package dev.pgkq.mujoco;

import dev.pgkq.env.Task;
import dev.pgkq.env.TaskProvider;
import dev.pgkq.env.Yardstick;
import java.util.List;

/** The tasks of the paper. Listing them does not need MuJoCo; opening one does. */
public final class MujocoTasks implements TaskProvider {
    /** Creates the provider; {@link java.util.ServiceLoader} calls this. */
    public MujocoTasks() {}

    @Override
    public List<Task> tasks() {
        // A good step is: poles near upright and at rest; one meter per second, where the two tasks with falls have
        // a bonus of 1 for standing.
        return List.of(
                new Task(
                                "InvertedDoublePendulum-v4",
                                "balance two poles on a cart (MuJoCo)",
                                InvertedDoublePendulum::new)
                        .measuredBy(new Yardstick(9.3, 0, 500)),
                new Task("Hopper-v4", "hop forward on one leg (MuJoCo)", Hopper::new)
                        .measuredBy(new Yardstick(2, 0, 500)),
                new Task("HalfCheetah-v4", "run forward on two sprung legs (MuJoCo)", HalfCheetah::new)
                        .measuredBy(new Yardstick(1, -500, 500)),
                new Task("Walker2d-v4", "walk forward on two legs (MuJoCo)", Walker2d::new)
                        .measuredBy(new Yardstick(2, 0, 500)));
    }
}
