/**
 * MuJoCo through the FFM API, and the tasks of the paper.
 *
 * <p>{@link dev.pgkq.mujoco.Mujoco} owns the native library: it finds or downloads it, checks its version against the struct
 * tables, and makes all calls. A model is shared by all simulators of a task, and each simulator has its own simulation. The
 * tasks are rules on plain state vectors. Nothing native is loaded until the first simulator is opened.
 */
@NullMarked
package dev.pgkq.mujoco;

import org.jspecify.annotations.NullMarked;
