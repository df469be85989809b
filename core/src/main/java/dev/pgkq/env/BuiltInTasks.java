package dev.pgkq.env;

import java.util.List;

/** The tasks that need no native library. */
public final class BuiltInTasks implements TaskProvider {
    /** Creates the provider; {@link java.util.ServiceLoader} calls this. */
    public BuiltInTasks() {}

    @Override
    public List<Task> tasks() {
        return List.of(
                new Task("Acrobot-v1", "swing two links up with the motor between them (plain Java)", Acrobot::new)
                        .measuredBy(new Yardstick(-0.5, -500, -250)),
                new Task("CartPole-v1", "balance a pole on a cart (plain Java)", CartPole::new)
                        .measuredBy(new Yardstick(0.5, 0, 250)),
                new Task("Pendulum-v1", "swing a rod up and hold it (plain Java)", Pendulum::new)
                        .measuredBy(new Yardstick(-0.5, -1600, -800)));
    }
}
