/**
 * MuJoCo through the FFM API, and the tasks of the paper.
 *
 * <p>{@link dev.pgkq.mujoco.Mujoco} owns the native library: it is found (or fetched), its version is checked against
 * the struct tables, and its calls are made there and nowhere else. Above it, a model is shared by all simulators of a
 * task and a simulation belongs to one of them; the tasks are rules over plain state vectors. Nothing native is touched
 * until the first simulator is opened.
 */
@NullMarked
package dev.pgkq.mujoco;

import org.jspecify.annotations.NullMarked;
