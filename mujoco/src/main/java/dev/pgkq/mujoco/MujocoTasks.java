package dev.pgkq.mujoco;

import dev.pgkq.env.Task;
import dev.pgkq.env.TaskProvider;
import java.util.List;

/** The tasks of the paper. Listing them needs no MuJoCo; opening one does. */
public final class MujocoTasks implements TaskProvider {
    @Override
    public List<Task> tasks() {
        return List.of(
                new Task(
                        "InvertedDoublePendulum-v4",
                        "balance two poles on a cart (MuJoCo)",
                        InvertedDoublePendulum::new),
                new Task("Hopper-v4", "hop forward on one leg (MuJoCo)", Hopper::new),
                new Task("HalfCheetah-v4", "run forward on two sprung legs (MuJoCo)", HalfCheetah::new),
                new Task("Walker2d-v4", "walk forward on two legs (MuJoCo)", Walker2d::new));
    }
}
