package dev.pgkq.mujoco;

import dev.pgkq.env.Task;
import dev.pgkq.env.TaskProvider;
import dev.pgkq.env.Yardstick;
import java.util.List;

/** The tasks of the paper. Listing them needs no MuJoCo; opening one does. */
public final class MujocoTasks implements TaskProvider {
    @Override
    public List<Task> tasks() {
        // A good step: poles near upright and at rest; a metre a second, where the two that can fall earn 1 by
        // standing.
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
