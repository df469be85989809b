/** MuJoCo through the FFM API, and the tasks of the paper. */
@NullMarked
package dev.pgkq.mujoco;

import org.jspecify.annotations.NullMarked;
